#!/bin/bash
# Runs a receiver from PyPI in a network namespace that a cable joins to another one, and a command in that.
#
#   peers.sh found "PEER ARGUMENTS" COMMAND...    prints what COMMAND prints and exits as it does
#   peers.sh holds "PEER ARGUMENTS" COMMAND...    COMMAND sends until it is killed; prints what the peer holds
#
# Ours is 10.77.0.1 at the interface `near`; the peer, whose arguments are those of peers/peer.py, is 10.77.0.2. Exit
# codes besides: 1 nothing came; 77 the test cannot run here, with the reason on stderr.
set -u
here=$(dirname "$0")
. "$here/ola_setup.sh"
. "$here/peers/where.sh"
mode=$1
read -ra arguments <<<"$2"
shift 2
command -v ip >/dev/null || skip "ip is not installed"
peers_are_there "$here/peers/requirements.txt" || skip "aioartnet and sacn are not installed; run tools/setup --tests"

ours="glowdeck-peer-here-$$"
theirs="glowdeck-peer-there-$$"
dir=$(mktemp -d)
peer=
sender=

clean_up() {
    trap - EXIT INT TERM
    for process in $sender $peer; do
        kill "$process" 2>/dev/null
        wait "$process" 2>/dev/null
    done
    ip netns del "$ours" 2>/dev/null
    ip netns del "$theirs" 2>/dev/null
    rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

fail() {
    echo "$1; the peer said:" >&2
    cat "$dir"/*.log >&2
    exit 1
}

make_space "$ours"
make_space "$theirs"
ip link add near netns "$ours" type veth peer name far netns "$theirs" || skip "no veth pair can be made"
ip -n "$ours" addr add 10.77.0.1/24 brd + dev near
ip -n "$theirs" addr add 10.77.0.2/24 brd + dev far
ip -n "$ours" link set near up
ip -n "$theirs" link set far up
ip -n "$theirs" route add 239.0.0.0/8 dev far

mkfifo "$dir/said"
ip netns exec "$theirs" "$peers/bin/python" "$here/peers/peer.py" "${arguments[@]}" >"$dir/said" 2>"$dir/peer.log" &
peer=$!
exec 3<"$dir/said"
read -rt 20 -u 3 line && [ "$line" = ready ] || fail "the peer did not start"

if [ "$mode" = found ]; then
    ip netns exec "$ours" "$@"
    exit
fi
ip netns exec "$ours" "$@" >"$dir/sender.log" 2>&1 &
sender=$!
# The peer ends by itself, soon after what it waits for or when it has waited long enough.
cat <&3
wait "$peer"
status=$?
peer=
[ $status = 0 ] || fail "the peer does not hold what was sent"
