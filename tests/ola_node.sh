#!/bin/bash
# Runs OLA as a node beside a sender, in network namespaces of their own, and prints what OLA received.
#
#   ola_node.sh artnet|sacn COMMAND...
#
# COMMAND should send until it is killed. For artnet it runs beside OLA and sends ArtDmx for port-address 1 to
# 127.0.0.1; for sacn it runs at the other end of a cable, its interface is `to-ola` with 10.77.0.1, OLA is 10.77.0.2
# there, and it sends sACN universe 1 by multicast or to OLA. The script prints one line, "dmx 1 2 3 ...", as soon as OLA holds data for its universe 1, or fails after 20 seconds.
# Exit codes: 0 printed; 1 nothing came; 77 the test cannot run here, with the reason on stderr.
set -u
. "$(dirname "$0")/ola_setup.sh"
protocol=$1
shift
need ip setpriv olad ola_recorder

space="glowdeck-ola-$$"
# Where the sender runs.
there=$space
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
    [ "$there" = "$space" ] || ip netns del "$there" 2>/dev/null
    rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

make_space "$space"
if [ "$protocol" = artnet ]; then
    configure_ola 127.0.0.1 true
    start_ola "$space"
else
    # OLA's sACN hears nothing of its own machine, so the sender needs another one.
    there=$space-peer
    make_space "$there"
    error=$(ip -n "$space" link add to-sender type veth peer name to-ola netns "$there" 2>&1) ||
        skip "a cable between namespaces is not permitted: $error"
    ip -n "$there" addr add 10.77.0.1/24 dev to-ola
    ip -n "$there" link set to-ola up
    ip -n "$space" addr add 10.77.0.2/24 dev to-sender
    ip -n "$space" link set to-sender up
    ip -n "$space" route add 239.0.0.0/8 dev to-sender
    configure_ola_sacn 10.77.0.2
    start_ola "$space" E1.31
fi

ip netns exec "$there" "$@" >"$dir/sender.log" 2>&1 &
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
