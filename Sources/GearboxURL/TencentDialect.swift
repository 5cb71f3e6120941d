/// Tencent Cloud Infinite: `?imageView2/1/w/100/h/100/q/80/format/webp`.
enum TencentDialect: ImageView2Dialect {
    static var grammar: ImageView2 { ImageView2(hasInterlace: false) }
}
