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

skip() {
    echo "$1" >&2
    exit 77
}

protocol=$1
shift
for tool in ip setpriv olad ola_recorder; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done
id olad >/dev/null 2>&1 || skip "there is no user olad"

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

error=$(ip netns add "$space" 2>&1) || skip "a network namespace is not permitted: $error"
ip -n "$space" link set lo up || skip "loopback of the namespace cannot be set up"

# OLA's sACN hears nothing of its own machine, so the sender needs another one.
if [ "$protocol" = sacn ]; then
    error=$(ip netns add "$space-peer" 2>&1) || skip "a second network namespace is not permitted: $error"
    there=$space-peer
    error=$(ip -n "$space" link add to-sender type veth peer name to-ola netns "$there" 2>&1) ||
        skip "a cable between namespaces is not permitted: $error"
    ip -n "$there" link set lo up
    ip -n "$there" addr add 10.77.0.1/24 dev to-ola
    ip -n "$there" link set to-ola up
    ip -n "$space" addr add 10.77.0.2/24 dev to-sender
    ip -n "$space" link set to-sender up
    ip -n "$space" route add 239.0.0.0/8 dev to-sender
fi

# OLA takes a plugin without a file for enabled, so every one that exists is switched off by name.
mkdir "$dir/conf"
for plugin in artnet dummy dmx4linux e131 espnet ftdidmx gpio karate kinet milinst nanoleaf opendmx openpixelcontrol osc \
    pathport renard sandnet shownet spi spidmx stageprofi uartdmx usbdmx usbserial; do
    echo "enabled = false" >"$dir/conf/ola-$plugin.conf"
done
if [ "$protocol" = artnet ]; then
    name=ArtNet
    printf 'enabled = true\nip = 127.0.0.1\nuse_loopback = true\n' >"$dir/conf/ola-artnet.conf"
    # Plugin 2 is Art-Net, its first device is 1. Its input 1 feeds OLA's universe 1, which makes OLA listen to
    # port-address 1: the low four bits are those of its own universe's number.
    printf '2-1-I-1 = 1\n' >"$dir/conf/ola-port.conf"
else
    name=E1.31
    printf 'enabled = true\nip = 10.77.0.2\n' >"$dir/conf/ola-e131.conf"
    # Plugin 11 is sACN; an input listens to the sACN universe of its OLA universe's number.
    printf '11-1-I-1 = 1\n' >"$dir/conf/ola-port.conf"
fi
chmod 755 "$dir"
chown -R olad "$dir/conf"

ip netns exec "$space" setpriv --reuid=olad --regid=nogroup --clear-groups \
    olad -c "$dir/conf" --no-http --no-register-with-dns-sd -l 3 >"$dir/olad.log" 2>&1 &
daemon=$!

deadline=$((SECONDS + 20))
until ip netns exec "$space" ola_dev_info 2>/dev/null | grep -q "$name"; do
    if ! kill -0 "$daemon" 2>/dev/null || [ $SECONDS -ge $deadline ]; then
        echo "olad did not start:" >&2
        cat "$dir/olad.log" >&2
        exit 1
    fi
    read -rt 0.1 <> <(:)
done

ip netns exec "$there" "$@" >"$dir/sender.log" 2>&1 &
sender=$!

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
