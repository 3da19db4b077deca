package king.bot;

import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.UnixDomainSocketAddress;

/** Connections to the referee: plain, without a proxy, and on Java's own sockets of both kinds. */
final class Channels {
  private static final String UNIX = "unix:";

  /** One thread reads and writes whatever the number of tables. It does not keep the JVM alive. */
  private static final EventLoopGroup LOOP =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("king", /* daemon= */ true), NioIoHandler.newFactory());

  private Channels() {}

  /** A channel to "host:port" or "unix:/path". Nothing is dialled before the first call. */
  static ManagedChannel open(String address) {
    return builder(address)
        .eventLoopGroup(LOOP)
        .maxInboundMessageSize(Integer.MAX_VALUE)
        .proxyDetector(target -> null)
        .build();
  }

  private static NettyChannelBuilder builder(String address) {
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
}
