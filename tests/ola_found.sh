#!/bin/bash
# Runs OLA as an Art-Net node in a network namespace that a cable joins to another one, and a command in that.
#
#   ola_found.sh COMMAND...
#
# OLA is at 10.77.0.2 and takes port-address 1. Prints what COMMAND prints and exits as it does; 77 where the test cannot
# run here, with the reason on stderr.
set -u
. "$(dirname "$0")/ola_setup.sh"
need ip setpriv olad

ours="glowdeck-here-$$"
theirs="glowdeck-there-$$"
dir=$(mktemp -d)
daemon=

clean_up() {
    trap - EXIT INT TERM
    if [ -n "$daemon" ]; then
        kill "$daemon" 2>/dev/null
        wait "$daemon" 2>/dev/null
    fi
    ip netns del "$ours" 2>/dev/null
    ip netns del "$theirs" 2>/dev/null
    rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

make_space "$ours"
make_space "$theirs"
ip link add near netns "$ours" type veth peer name far netns "$theirs" || skip "no veth pair can be made"
ip -n "$ours" addr add 10.77.0.1/24 brd + dev near
ip -n "$theirs" addr add 10.77.0.2/24 brd + dev far
ip -n "$ours" link set near up
ip -n "$theirs" link set far up

configure_ola 10.77.0.2 false
start_ola "$theirs"
ip netns exec "$ours" "$@"
