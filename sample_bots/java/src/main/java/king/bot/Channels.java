package king.bot;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;

/** Connections to the referee: without a proxy, and on Java's own sockets of both kinds. */
final class Channels {
  private static final String UNIX = "unix:";
  private static final String TLS = "tls://";

  /** One thread reads and writes whatever the number of tables. It does not keep the JVM alive. */
  private static final EventLoopGroup LOOP =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("king", /* daemon= */ true), NioIoHandler.newFactory());

  private Channels() {}

  /**
   * A channel to "host:port", "tls://host:port" or "unix:/path". Nothing is dialled before the first
   * call.
   */
  static ManagedChannel open(String address) {
    return builder(address)
        .eventLoopGroup(LOOP)
        .maxInboundMessageSize(Integer.MAX_VALUE)
        .proxyDetector(target -> null)
        .build();
  }

  private static NettyChannelBuilder builder(String address) {
    if (address.startsWith(TLS)) {
      return NettyChannelBuilder.forTarget(address.substring(TLS.length()), encrypted())
          .channelType(NioSocketChannel.class);
    }
    var plaintext = InsecureChannelCredentials.create();
    if (!address.startsWith(UNIX)) {
      return NettyChannelBuilder.forTarget(address, plaintext).channelType(NioSocketChannel.class);
    }
    var socket = UnixDomainSocketAddress.of(address.substring(UNIX.length()));
    return NettyChannelBuilder.forAddress(socket, plaintext)
        .overrideAuthority("localhost")
        .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
        .withOption(ChannelOption.SO_KEEPALIVE, null); // gRPC sets it, and Netty warns of it
  }

  /** Believes the authorities in the PEM file that KING_TLS_ROOTS names, or else the public ones. */
  private static ChannelCredentials encrypted() {
    String roots = System.getenv().getOrDefault("KING_TLS_ROOTS", "");
    if (roots.isEmpty()) {
      return TlsChannelCredentials.create();
    }
    try {
      return TlsChannelCredentials.newBuilder().trustManager(new File(roots)).build();
    } catch (IOException failure) {
      throw new UncheckedIOException("KING_TLS_ROOTS: " + roots, failure);
    }
  }
}
