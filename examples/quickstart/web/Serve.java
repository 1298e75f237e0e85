import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** The smallest web server that shows a daemon being kept: static files, loopback only. */
class Serve {
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]).toAbsolutePath().normalize();
        int port = Integer.parseInt(args[1]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                String name = exchange.getRequestURI().getPath().substring(1);
                Path file = folder.resolve(name.isEmpty() ? "index.html" : name).normalize();
                boolean there = file.startsWith(folder) && Files.isRegularFile(file);
                byte[] body = there ? Files.readAllBytes(file) : "not found\n".getBytes();
                exchange.sendResponseHeaders(there ? 200 : 404, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        System.out.println("serving " + folder + " on 127.0.0.1:" + port);
    }
}
