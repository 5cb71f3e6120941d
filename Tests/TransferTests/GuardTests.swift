import LoopbackServers
import Testing
import Transfer

@Suite("The guard of private addresses")
struct GuardTests {
    @Test(
        "Every way to write the loopback address is refused before a connection is made",
        arguments: [
            "127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "[::1]",
            "[::ffff:127.0.0.1]", "0", "[::]", "127.1",
        ]
    )
    func refused(host: String) async throws {
        let server = try await ScriptedServer.start(["/a": [.body([1])]])
        let client = TransferClient(TransferConfiguration())
        let error = await client.get(server.url("/a", host: host)).error
        #expect(error?.code == .addressRefused, "\(String(describing: error))")
        #expect(error?.isTransient == false)
        #expect(error?.message.contains("network.allowPrivateAddresses") == true)
        client.shutDown()
        #expect(try await server.log().connections == 0)
    }

    @Test("A proxy does not open the way to addresses in a URL")
    func proxy() async throws {
        let proxy = try await ScriptedServer.start(["http://public.example/a": [.body([1, 2])]])
        var configuration = TransferConfiguration()
        configuration.proxy = proxy.url("")
        let client = TransferClient(configuration)
        #expect(await client.get("http://10.0.0.1/a").error?.code == .addressRefused)
        #expect(await client.get("http://localhost/a").error?.code == .addressRefused)
        #expect(try await client.get("http://public.example/a").get().bodyBytes == 2)
        client.shutDown()
    }
}
