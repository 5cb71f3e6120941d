/// Qiniu: `?imageView2/1/w/100/h/100/q/80/format/webp`.
enum QiniuDialect: ImageView2Dialect {
    static var grammar: ImageView2 { ImageView2(hasInterlace: true) }
}
