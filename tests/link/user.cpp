// A library of somebody else's that happens to need openreg. Nothing in it is called.
int link_user_version();
int link_user_version() { return 1; }
