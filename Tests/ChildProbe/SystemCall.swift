import Glibc

/// Calls the kernel by number: `syscall` is variadic.
func systemCall(_ number: Int32, _ arguments: Int...) -> Int {
    typealias Call = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
    guard let address = unsafe dlsym(nil, "syscall") else { return 0 }
    let call = unsafe unsafeBitCast(address, to: Call.self)
    let all = arguments + [0, 0, 0, 0, 0, 0]
    return call(Int(number), all[0], all[1], all[2], all[3], all[4], all[5])
}
