/** Limits that keep one client from occupying the server, each with the reason for its number. */
export const limits = {
  /** Whole lists. One thread makes them all, so that more of them at once only share its time. */
  list: {
    atOnce: 4,
    /** Half of the turns: one client alone never keeps others waiting. */
    perClient: 2,
    /** Four rounds of turns: later requests would most likely wait too long. */
    waiting: 16,
    /** As long as people keep their attention (Nielsen, Usability Engineering, chapter 5). */
    waitMilliseconds: 10_000,
  },
  /** 256 kbit/s, the least that the ITU calls broadband. */
  slowestBytesPerSecond: 32 * 1024,
  /** Long enough for a phone that changes networks. */
  stallMilliseconds: 30_000,
  /** As long as Apache's mod_reqtimeout gives a body by default: the largest one then arrives at 26 kbit/s. */
  bodyMilliseconds: 20_000,
  /** For an uploaded picture of 20 MB at 1.4 Mbit/s; what a page sends is a tenth of it. */
  uploadMilliseconds: 120_000,
  /** Pictures that are read at the same time, since they are held in memory: 80 MB. */
  uploads: { atOnce: 4, perClient: 2 },
  listener: {
    /** Headers fit into a few packets; slower clients try to keep connections. */
    headersTimeout: 10_000,
    /** More than `uploadMilliseconds`, so that slow senders get a response that says so. */
    requestTimeout: 130_000,
    /** As nginx's `send_timeout`: for a peer that neither sends nor reads. */
    idleTimeout: 60_000,
    /** Four times Kestrel's minimum (`MinResponseDataRate`), and low enough for the map on a weak phone network. */
    slowestBytesPerSecond: 1024,
    /** A page makes its requests within seconds, and connections are cheap to open again. */
    keepAliveTimeout: 10_000,
    /** Far below the file descriptors that systemd allows a service (524,288). */
    maxConnections: 4096,
    /** A sixteenth of all: browsers open six to a host, and forty people may share an address. */
    connectionsPerClient: 256,
  },
} as const
