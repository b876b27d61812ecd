// Between this program and the lab: frames over two descriptors. Inside the runtime only.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>

namespace al {

using Octets = std::string;

template <typename T>
inline void Put(Octets& to, T value)
{
    to.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename T>
inline T Take(const char*& from)
{
    T value;
    std::memcpy(&value, from, sizeof(value));
    from += sizeof(value);
    return value;
}

inline void PutText(Octets& to, const char* text, size_t size)
{
    Put<uint32_t>(to, static_cast<uint32_t>(size));
    to.append(text, size);
}

bool Connected();
void Send(char kind, const Octets& head, const char* body = nullptr, size_t size = 0);
// One frame. `body` is what follows the kind; ends the program when the other side has gone.
char Receive(Octets& body);

// Serve the other side until it replies; the reply's values.
void ServeUntilReply(Octets& reply);

} // namespace al
