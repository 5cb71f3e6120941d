#!/usr/bin/env bash
# Serves a folder on loopback with an nginx of its own: no root, no system configuration.
#
#   bench/nginx.sh start FOLDER PREFIX [PORT]    prints the port; PORT is a free one where none is given
#   bench/nginx.sh stop PREFIX                   waits until it is gone
#
# PREFIX is a directory for its configuration, nginx.pid and access.log: one line a request, with
# status, bytes of the body, method and path. Where it holds certificate.pem and key.pem, HTTP/2 over
# TLS is spoken; where it holds server.conf, the server has its lines, too, and the module echo; where it
# holds http.conf, the block around the server has its lines.
set -euo pipefail
PATH=$PATH:/usr/sbin:/usr/local/sbin

usage() {
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

free_port() {
    /usr/bin/python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

answers() {
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

start() {
    local folder prefix port given=${3:-} user= listen= lines= modules= around=
    folder=$(cd "$1" && pwd)
    mkdir -p "$2"
    prefix=$(cd "$2" && pwd)
    # A master that runs as root gives its workers away, and they could not read the folder.
    [ "$(id -u)" = 0 ] && user="user root;"
    if [ -s "$prefix/certificate.pem" ]; then
        listen="ssl http2; ssl_certificate $prefix/certificate.pem; ssl_certificate_key $prefix/key.pem"
    fi
    if [ -s "$prefix/server.conf" ]; then
        modules="load_module /usr/lib/nginx/modules/ngx_http_echo_module.so;"
        lines="include $prefix/server.conf;"
    fi
    [ -s "$prefix/http.conf" ] && around="include $prefix/http.conf;"
    for _ in 1 2 3; do
        port=${given:-$(free_port)}
        cat >"$prefix/nginx.conf" <<CONF
$user
$modules
worker_processes 2;
pid $prefix/nginx.pid;
error_log $prefix/error.log warn;
events { worker_connections 1024; }
http {
    types { image/jpeg jpg jpeg; image/png png; image/webp webp; image/gif gif; image/avif avif; }
    default_type application/octet-stream;
    log_format short '\$status \$body_bytes_sent \$request_method \$request_uri';
    access_log $prefix/access.log short;
    client_body_temp_path $prefix/body;
    proxy_temp_path $prefix/proxy;
    fastcgi_temp_path $prefix/fastcgi;
    uwsgi_temp_path $prefix/uwsgi;
    scgi_temp_path $prefix/scgi;
    sendfile on;
    tcp_nodelay on;
    keepalive_requests 1000000;
    $around
    server {
        listen 127.0.0.1:$port $listen;
        root $folder;
        $lines
    }
}
CONF
        if launch "$prefix" && answers "$port"; then
            echo "$port"
            return
        fi
        [ -n "$given" ] && break
    done
    echo "nginx did not start: see $prefix/error.log" >&2
    exit 1
}

# A daemon must not keep what its starter has open: who waits for that to close would wait for ever.
launch() (
    for descriptor in /proc/self/fd/*; do
        number=${descriptor##*/}
        if [ "$number" -gt 2 ] && [ "$number" -ne 255 ]; then eval "exec $number>&-"; fi
    done
    exec nginx -p "$1" -c "$1/nginx.conf" </dev/null >/dev/null 2>>"$1/error.log"
)

stop() {
    local pid
    [ -s "$1/nginx.pid" ] || return 0
    pid=$(cat "$1/nginx.pid")
    kill -QUIT "$pid" 2>/dev/null || return 0
    for _ in $(seq 100); do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.05
    done
    kill -TERM "$pid"
}

case ${1:-} in
start) [ $# -ge 3 ] && start "$2" "$3" "${4:-}" || usage ;;
stop) [ $# = 2 ] && stop "$2" || usage ;;
*) usage ;;
esac
