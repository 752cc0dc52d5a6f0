#!/bin/bash
# Runs OLA as an Art-Net node beside a sender, in a network namespace of their own, and prints what OLA received.
#
#   ola_node.sh COMMAND...
#
# COMMAND runs inside the namespace and should send ArtDmx for port-address 1 to 127.0.0.1 until it is killed. The
# script prints one line, "dmx 1 2 3 ...", as soon as OLA holds data for its universe 1, or fails after 20 seconds.
# Exit codes: 0 printed; 1 nothing came; 77 the test cannot run here, with the reason on stderr.
set -u
. "$(dirname "$0")/ola_setup.sh"
need ip setpriv olad ola_recorder

space="glowdeck-ola-$$"
dir=$(mktemp -d)
daemon=
sender=

clean_up() {
    trap - EXIT INT TERM
    for process in $sender $daemon; do
        kill "$process" 2>/dev/null
        wait "$process" 2>/dev/null
    done
    ip netns del "$space" 2>/dev/null
    rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

make_space "$space"
configure_ola 127.0.0.1 true
start_ola "$space"

ip netns exec "$space" "$@" >"$dir/sender.log" 2>&1 &
sender=$!

deadline=$((SECONDS + 20))
while [ $SECONDS -lt $deadline ]; do
    rm -f "$dir/recording"
    # A recording is a header and then, for each change, "UNIVERSE 1,2,3,...".
    ip netns exec "$space" timeout 2 ola_recorder -r "$dir/recording" -u 1 >/dev/null 2>&1
    line=$(grep -m1 '^1 .*,' "$dir/recording" 2>/dev/null)
    if [ -n "$line" ]; then
        line=${line#1 }
        echo "dmx ${line//,/ }"
        exit 0
    fi
done
echo "OLA received nothing; the sender said:" >&2
cat "$dir/sender.log" "$dir/olad.log" >&2
exit 1
