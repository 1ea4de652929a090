int run_from_library();

int main() { return run_from_library(); }
