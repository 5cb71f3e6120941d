import Testing
import Transfer

@Suite("Addresses")
struct NetworkAddressTests {
    @Test(
        "Addresses that are not of the public Internet are told",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
            "127.0.0.1", "127.255.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
            "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255",
            "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1",
            "255.255.255.255",
            "::", "::1", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fdff::1", "ff02::1",
            "100::1", "2001:db8::1", "2001::1", "2001:10::1", "3fff::1", "5f00::1",
            "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:0:192.168.0.1", "::10.0.0.1",
            "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808",
            "2002:0a00:0001::", "2002:7f00:1::1", "2002:c0a8:101::",
            "2a00:1450::5efe:10.0.0.1", "2a00:1450::200:5efe:c0a8:101",
        ]
    )
    func special(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(!address.isPublic)
    }

    @Test(
        "Public addresses are told, also where IPv6 leads to one",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
            "126.255.255.255", "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.0",
            "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
            "2606:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888", "2400:cb00::1",
            "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
        ]
    )
    func ordinary(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.isPublic)
    }

    @Test(
        "Text that is no address is none",
        arguments: ["", "localhost", "1.2.3", "[::1]", "0x7f.1"]
    )
    func none(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test("Addresses are written")
    func written() {
        #expect(NetworkAddress("10.0.0.1")?.description == "10.0.0.1")
        #expect(NetworkAddress("fe80::1")?.description == "fe80:0:0:0:0:0:0:1")
        #expect(NetworkAddress(bytes: [1, 2, 3]) == nil)
    }
}
