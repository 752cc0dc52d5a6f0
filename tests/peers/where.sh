# Where tools/setup installs the Python receivers and tests/peers.sh finds them; sourced, never run. Outside target/, so
# that `cargo clean` does not ask for the network again, and one for all checkouts.

peers=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/glowdeck/python-peers

# peers_are_there REQUIREMENTS: whether they are installed, and in the versions that are asked for now.
peers_are_there() {
    cmp -s "$1" "$peers/requirements.txt" && "$peers/bin/python" -c 'import aioartnet, sacn' 2>/dev/null
}
