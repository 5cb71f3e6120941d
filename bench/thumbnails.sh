# Sourced. What people would write instead of a pipeline: vipsthumbnail, once for each size and mode,
# over all files at once.

# thumbnails SUFFIX OUT FILES SIZE...
#
# Prints commands, a line each, that make the modes x, y and z of every file in the list FILES, at each
# size as a square, into OUT/MODE_SIZE_NAME SUFFIX: a file's extension with the saver's options.
thumbnails() {
    local suffix=$1 out=$2 files=$3 wide=$3.wide tall=$3.tall file size
    shift 3
    : > "$wide"
    : > "$tall"
    while read -r file; do
        if [ "$(vipsheader -f width "$file")" -ge "$(vipsheader -f height "$file")" ]; then
            echo "$file" >> "$wide"
        else
            echo "$file" >> "$tall"
        fi
    done < "$files"
    for size; do
        echo "vipsthumbnail --size '${size}x$size>' -o \"$out/x_${size}_%s$suffix\" \$(cat $files)"
        echo "vipsthumbnail --size ${size}x$size --smartcrop centre -o \"$out/y_${size}_%s$suffix\" \$(cat $files)"
        if [ -s "$wide" ]; then
            echo "vipsthumbnail --size 'x$size>' -o \"$out/z_${size}_%s$suffix\" \$(cat $wide)"
        fi
        if [ -s "$tall" ]; then
            echo "vipsthumbnail --size '${size}x>' -o \"$out/z_${size}_%s$suffix\" \$(cat $tall)"
        fi
    done
}
