# What the scripts that run OLA share; sourced, never run. Sets $dir, a folder that clean_up removes.

skip() {
    echo "$1" >&2
    exit 77
}

need() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip "$tool is not installed"
    done
    id olad >/dev/null 2>&1 || skip "there is no user olad"
}

# make_space NAME: a network namespace with loopback.
make_space() {
    local error
    error=$(ip netns add "$1" 2>&1) || skip "a network namespace is not permitted: $error"
    ip -n "$1" link set lo up || skip "loopback of the namespace cannot be set up"
}

# Switches off every plugin but the ones that are configured afterwards.
no_plugins() {
    # OLA takes a plugin without a file for enabled, so every one that exists is switched off by name.
    mkdir "$dir/conf"
    for plugin in artnet dummy dmx4linux e131 espnet ftdidmx gpio karate kinet milinst nanoleaf opendmx openpixelcontrol osc \
        pathport renard sandnet shownet spi spidmx stageprofi uartdmx usbdmx usbserial; do
        echo "enabled = false" >"$dir/conf/ola-$plugin.conf"
    done
    chmod 755 "$dir"
}

# configure_ola ADDRESS LOOPBACK: Art-Net only, at that address, with port-address 1 as OLA's universe 1.
configure_ola() {
    no_plugins
    printf 'enabled = true\nip = %s\nuse_loopback = %s\n' "$1" "$2" >"$dir/conf/ola-artnet.conf"
    # Plugin 2 is Art-Net, its first device is 1. Its input 1 feeds OLA's universe 1, which makes OLA listen to
    # port-address 1: the low four bits are those of its own universe's number.
    printf '2-1-I-1 = 1\n' >"$dir/conf/ola-port.conf"
    chown -R olad "$dir/conf"
}

# configure_ola_sacn ADDRESS: sACN only, at that address, with sACN universe 1 as OLA's universe 1.
configure_ola_sacn() {
    no_plugins
    printf 'enabled = true\nip = %s\n' "$1" >"$dir/conf/ola-e131.conf"
    # Plugin 11 is sACN; an input listens to the sACN universe of its OLA universe's number.
    printf '11-1-I-1 = 1\n' >"$dir/conf/ola-port.conf"
    chown -R olad "$dir/conf"
}

# start_ola SPACE [DEVICE]: sets $daemon and returns when OLA has its Art-Net device, or the one named.
start_ola() {
    ip netns exec "$1" setpriv --reuid=olad --regid=nogroup --clear-groups \
        olad -c "$dir/conf" --no-http --no-register-with-dns-sd -l 3 >"$dir/olad.log" 2>&1 &
    daemon=$!
    local deadline=$((SECONDS + 20))
    until ip netns exec "$1" ola_dev_info 2>/dev/null | grep -q "${2:-ArtNet}"; do
        if ! kill -0 "$daemon" 2>/dev/null || [ $SECONDS -ge $deadline ]; then
            echo "olad did not start:" >&2
            cat "$dir/olad.log" >&2
            exit 1
        fi
        read -rt 0.1 <> <(:)
    done
}
