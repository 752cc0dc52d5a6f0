"""A receiver made by others, which tells what it holds.

    peer.py artnet ADDRESS BROADCAST NET:SUB:UNIVERSE...
    peer.py sacn unicast|multicast UNIVERSE...

Prints "ready" once it listens; then, as soon as it holds light for every universe, a line for each, "dmx 1 2 3 ...", in
the order asked for. Fails when that takes longer than PATIENCE. An Art-Net node answers polls as long as it runs.
"""

import asyncio
import sys
import threading

PATIENCE = 40


def tell(held):
    for data in held:
        print("dmx", *data, flush=True)


async def artnet(address, broadcast, universes):
    from aioartnet import ArtNetClient

    client = ArtNetClient()
    client.unicast_ip, client.broadcast_ip = address, broadcast
    client.portName, client.longName = "aioartnet", "aioartnet in a test"
    ports = [client.set_port_config(universe, is_output=True) for universe in universes]
    transport = await client.connect()
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE
    while not all(any(port.get_dmx()) for port in ports):
        if loop.time() >= deadline:
            sys.exit(f"no light came for {[str(p) for p in ports if not any(p.get_dmx())]}")
        await asyncio.sleep(0.02)
    tell(port.get_dmx() for port in ports)
    transport.close()


def sacn(way, universes):
    import sacn as library

    receiver = library.sACNreceiver()
    held, complete = {}, threading.Event()

    def take(universe):
        def packet_came(packet):
            held[universe] = packet.dmxData
            if all(any(held.get(wanted, ())) for wanted in universes):
                complete.set()

        return packet_came

    for universe in universes:
        receiver.register_listener("universe", take(universe), universe=universe)
    receiver.start()
    if way == "multicast":
        for universe in universes:
            receiver.join_multicast(universe)
    print("ready", flush=True)
    came = complete.wait(PATIENCE)
    receiver.stop()
    if not came:
        sys.exit(f"no light came but for {sorted(held)}")
    tell(held[universe] for universe in universes)


protocol, *arguments = sys.argv[1:]
if protocol == "artnet":
    asyncio.run(artnet(arguments[0], arguments[1], arguments[2:]))
else:
    sacn(arguments[0], [int(universe) for universe in arguments[1:]])
