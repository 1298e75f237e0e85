package io.meshhost.control;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.impl.transports.JDKTransport;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.transport.Transport;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.ThreadFactory;

/**
 * Teaches Vert.x 4 to speak over unix sockets with the JDK's own channels.
 *
 * <p>Vert.x 4.5 knows unix sockets only through the native epoll transport, and Quarkus takes even that
 * away in a native executable; Netty has had channels on the JDK's sockets since JDK 16. Found by
 * Vert.x through {@code META-INF/services}. Vert.x 5 does this itself: this class goes then.
 */
public final class NioUnix implements VertxServiceProvider, Transport {
    private static final Transport JDK = JDKTransport.INSTANCE;

    @Override
    public void init(VertxBuilder builder) {
        builder.findTransport(this);
    }

    @Override
    public boolean supportsDomainSockets() {
        return true;
    }

    @Override
    public java.net.SocketAddress convert(SocketAddress address) {
        return address.isDomainSocket() ? UnixDomainSocketAddress.of(address.path()) : JDK.convert(address);
    }

    @Override
    public SocketAddress convert(java.net.SocketAddress address) {
        return address instanceof UnixDomainSocketAddress unix
                ? SocketAddress.domainSocketAddress(unix.getPath().toString())
                : JDK.convert(address);
    }

    @Override
    public EventLoopGroup eventLoopGroup(int type, int threads, ThreadFactory factory, int ioRatio) {
        return JDK.eventLoopGroup(type, threads, factory, ioRatio);
    }

    @Override
    public DatagramChannel datagramChannel() {
        return JDK.datagramChannel();
    }

    @Override
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return JDK.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return domainSocket ? NioDomainSocketChannel::new : JDK.channelFactory(false);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return domainSocket ? NioServerDomainSocketChannel::new : JDK.serverChannelFactory(false);
    }
}
