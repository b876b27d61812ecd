"""Small stand-ins for packages that scripts import and machines without them lack."""
