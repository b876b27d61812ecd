// The program made of a project's op_host sources: describes its operators, and runs their functions for a case.
// Tasks come as text, one token after another; answers go back as JSON.
#include "ascend_lab/op/definition.h"
#include "ascend_lab/op/template_argument.h"
#include "ascend_lab/op/tiling_data.h"

#include <csignal>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>

namespace {

using al::op::Node;

std::string Quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + "\"";
}

template <typename L, typename F>
std::string List(const L& list, F text)
{
    std::string out = "[";
    for (const auto& one : list) {
        out += (out.size() > 1 ? "," : "") + text(one);
    }
    return out + "]";
}

template <typename T>
std::string Number(const T& value)
{
    return std::to_string(value);
}

std::string Real(float value)
{
    char text[40];
    std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(value));
    const std::string made = text;
    return made.find_first_of("in") == std::string::npos ? made : "0";
}

// --- describing -----------------------------------------------------------------------------------------

std::string Parameter(const ops::OpParamDef& param)
{
    return "{\"name\":" + Quoted(param.name) + ",\"option\":" + Number(static_cast<int>(param.option)) +
        ",\"depends\":" + (param.depends ? "true" : "false") + ",\"list\":" + (param.is_list ? "true" : "false") +
        ",\"types\":" + List(param.types, [](ge::DataType type) { return Number(static_cast<int>(type)); }) + "}";
}

std::string ValueOf(const al::op::AttrValue& value)
{
    switch (value.kind) {
        case 'b': return value.flag ? "true" : "false";
        case 'f': return Real(value.real);
        case 's': return Quoted(value.text);
        case 'I': return List(value.wholes.values, Number<int64_t>);
        case 'F': return List(value.reals.values, Real);
        case 'B': return List(value.flags.values, Number<uint8_t>);
        default: return Number(value.whole);
    }
}

std::string Attribute(const ops::OpAttrDef& attr)
{
    return "{\"name\":" + Quoted(attr.value.name) + ",\"kind\":" + Quoted(std::string(1, attr.value.kind)) +
        ",\"required\":" + (attr.option == ops::REQUIRED ? "true" : "false") +
        ",\"default\":" + (attr.has_default ? ValueOf(attr.value) : "null") + "}";
}

std::string Structure(const optiling::TilingDef& made)
{
    return "{\"name\":" + Quoted(made.class_name) + ",\"fields\":" +
        List(made.fields, [&made](const optiling::TilingField& field) {
            std::string out = "{\"type\":" + Quoted(field.type) + ",\"name\":" + Quoted(field.name) +
                ",\"count\":" + Number(field.count);
            if (field.nested != nullptr) {
                out += ",\"nested\":" + Structure(*field.nested(reinterpret_cast<const char*>(&made) + field.at));
            }
            return out + "}";
        }) + "}";
}

std::string Argument(const al::op::TemplateArgument& argument)
{
    return "{\"name\":" + Quoted(argument.name) + ",\"kind\":" + Quoted(std::string(1, argument.kind)) +
        ",\"values\":" + List(argument.values, Number<uint64_t>) + "}";
}

al::op::Functions FunctionsOf(const std::string& type, const ops::OpDef& def)
{
    al::op::Functions found = al::op::Implementations()[type];
    found.tiling = found.tiling == nullptr ? def.core.tiling : found.tiling;
    found.shape = found.shape == nullptr ? def.shape : found.shape;
    found.type = found.type == nullptr ? def.type : found.type;
    return found;
}

std::string Operator(const std::string& type)
{
    const std::unique_ptr<ops::OpDef> def(al::op::Definitions()[type]());
    const al::op::Functions functions = FunctionsOf(type, *def);
    std::string tilings = "{";
    for (const auto& [op, make] : al::op::TilingClasses()) {
        if (op == type || op.rfind(type + "_", 0) == 0) {
            const std::unique_ptr<optiling::TilingDef> made(make());
            tilings += (tilings.size() > 1 ? "," : "") + Quoted(op) + ":" + Structure(*made);
        }
    }
    std::string out = "{\"type\":" + Quoted(type) + ",\"inputs\":" + List(def->inputs, Parameter) +
        ",\"outputs\":" + List(def->outputs, Parameter) + ",\"attrs\":" + List(def->attrs, Attribute) +
        ",\"socs\":" + List(def->core.socs, Quoted) + ",\"tiling\":" + (functions.tiling ? "true" : "false") +
        ",\"shape\":" + (functions.shape ? "true" : "false") + ",\"infer_type\":" + (functions.type ? "true" : "false") +
        ",\"structures\":" + tilings + "}";
    const auto found = al::op::Templates().find(type);
    if (found != al::op::Templates().end()) {
        out += ",\"template\":" + List(found->second.declared, Argument) + ",\"selected\":" +
            List(found->second.selected, [](const auto& one) { return List(one, Argument); }) + "}";
    } else {
        out += "}";
    }
    return out;
}

std::string Describe()
{
    std::vector<std::string> types;
    for (const auto& entry : al::op::Definitions()) {
        types.push_back(entry.first);
    }
    return List(types, Operator);
}

// --- one case ---------------------------------------------------------------------------------------------

std::string Unhex(const std::string& text)
{
    std::string out;
    for (size_t k = 1; k + 1 < text.size(); k += 2) { // the first character is a mark
        out += static_cast<char>(std::stoi(text.substr(k, 2), nullptr, 16));
    }
    return out;
}

gert::Tensor TensorOf(std::istringstream& in)
{
    gert::Tensor made;
    int type = 0, format = 0;
    size_t dims = 0;
    std::string data;
    in >> made.name >> made.present >> type >> format >> dims;
    for (size_t k = 0; k < dims; ++k) {
        int64_t dim = 0;
        in >> dim;
        made.shape.MutableOriginShape().AppendDim(dim);
        made.shape.MutableStorageShape().AppendDim(dim);
    }
    in >> data;
    made.desc.type = static_cast<ge::DataType>(type);
    made.desc.format = gert::StorageFormat(static_cast<ge::Format>(format), static_cast<ge::Format>(format));
    made.has_data = data[0] == 'x';
    const std::string bytes = Unhex(data);
    made.data.assign(bytes.begin(), bytes.end());
    return made;
}

al::op::AttrValue AttrOf(std::istringstream& in)
{
    al::op::AttrValue made;
    std::string text;
    in >> made.name >> made.kind >> made.present;
    if (!made.present) {
        return made;
    }
    size_t count = 0;
    switch (made.kind) {
        case 'b': in >> made.flag; break;
        case 'f': in >> made.real; break;
        case 's': in >> text; made.text = Unhex(text); break;
        case 'i': in >> made.whole; break;
        default:
            in >> count;
            for (size_t k = 0; k < count; ++k) {
                double value = 0;
                in >> value;
                made.wholes.values.push_back(static_cast<int64_t>(value));
                made.reals.values.push_back(static_cast<float>(value));
                made.flags.values.push_back(static_cast<uint8_t>(value));
            }
    }
    return made;
}

// `starts`: how many tensors each input of the operator's list has.
std::vector<int> StartsOf(std::istringstream& in)
{
    size_t count = 0;
    in >> count;
    std::vector<int> starts = {0};
    for (size_t k = 0; k < count; ++k) {
        int one = 0;
        in >> one;
        starts.push_back(starts.back() + one);
    }
    return starts;
}

void Fill(std::istringstream& in, Node& node)
{
    size_t count = 0;
    in >> node.type >> node.name;
    node.input_start = StartsOf(in);
    for (int k = 0; k < node.input_start.back(); ++k) {
        node.inputs.push_back(TensorOf(in));
    }
    node.output_start = StartsOf(in);
    for (int k = 0; k < node.output_start.back(); ++k) {
        node.outputs.push_back(TensorOf(in));
    }
    in >> count;
    for (size_t k = 0; k < count; ++k) {
        node.attrs.attrs.push_back(AttrOf(in));
    }
}

std::string Dims(const gert::Shape& shape)
{
    std::string out = "[";
    for (size_t k = 0; k < shape.GetDimNum(); ++k) {
        out += (k ? "," : "") + std::to_string(shape[k]);
    }
    return out + "]";
}

std::string Tensors(const std::vector<gert::Tensor>& list)
{
    return List(list, [](const gert::Tensor& tensor) {
        return "{\"type\":" + Number(static_cast<int>(tensor.desc.type)) +
            ",\"shape\":" + Dims(tensor.shape.GetOriginShape()) + "}";
    });
}

std::string Place(al::Here here) { return "[" + Quoted(here.file) + "," + Number(here.line) + "]"; }

std::string Hex(const std::vector<char>& bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    std::string out;
    for (size_t k = 0; k < size && k < bytes.size(); ++k) {
        const unsigned char byte = static_cast<unsigned char>(bytes[k]);
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

const char* stage = "";

// Shapes and types of the outputs, by the operator's own functions.
std::string Infer(Node& node, const al::op::Functions& functions)
{
    ge::graphStatus shape = ge::GRAPH_SUCCESS, type = ge::GRAPH_SUCCESS;
    if (functions.shape != nullptr) {
        stage = "InferShape";
        gert::InferShapeContext context(node);
        shape = functions.shape(&context);
    }
    if (functions.type != nullptr) {
        stage = "InferDataType";
        gert::InferDataTypeContext context(node);
        type = functions.type(&context);
    }
    return "{\"shape_status\":" + Number(shape) + ",\"type_status\":" + Number(type) +
        ",\"outputs\":" + Tensors(node.outputs) + "}";
}

std::string Tile(Node& node, const al::op::Functions& functions)
{
    node.tiling.bytes.assign(16384, 0);
    if (functions.parse) {
        stage = "TilingParse";
        functions.parse(node);
    }
    stage = "TilingFunc";
    gert::TilingContext context(node);
    const ge::graphStatus status = functions.tiling(&context);
    size_t workspace = 0;
    for (const size_t one : node.workspaces) {
        workspace += one;
    }
    return "{\"status\":" + Number(status) + ",\"blocks\":" + Number(node.blocks) + ",\"blocks_at\":" +
        Place(node.blocks_at) + ",\"key\":" + Number(node.key) + ",\"key_at\":" + Place(node.key_at) +
        ",\"workspace\":" + Number(workspace) + ",\"workspace_at\":" + Place(node.workspaces_at) +
        ",\"chosen\":" + List(node.chosen, Number<uint64_t>) + ",\"seen\":" + Place(al::op::last_seen) +
        ",\"size\":" + Number(node.tiling.size) + ",\"data\":\"" + Hex(node.tiling.bytes, node.tiling.size) + "\"}";
}

std::string Perform(const std::string& text)
{
    std::istringstream in(text);
    std::string task;
    in >> task;
    if (task == "describe") {
        return Describe();
    }
    Node node;
    Fill(in, node);
    const std::unique_ptr<ops::OpDef> def(al::op::Definitions()[node.type]());
    const al::op::Functions functions = FunctionsOf(node.type, *def);
    return task == "infer" ? Infer(node, functions) : Tile(node, functions);
}

// A function of the project has died: say where it was last seen, then die of it.
void OnDeath(int number)
{
    std::signal(number, SIG_DFL);
    al::op::Tell("died", al::op::last_seen, stage, number == SIGFPE ? "SIGFPE" : number == SIGABRT ? "SIGABRT" : "SIGSEGV");
    raise(number);
}

} // namespace

int main()
{
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) {
        struct sigaction action = {};
        action.sa_handler = OnDeath;
        action.sa_flags = SA_ONSTACK | SA_NODEFER;
        sigaction(number, &action, nullptr);
    }
    std::string answer;
    for (;;) {
        al::HostCall next("op.next");
        const std::string task = next.s(answer.c_str()).go().text(1);
        if (task.empty()) {
            return 0;
        }
        answer = Perform(task);
    }
}
