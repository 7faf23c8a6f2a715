import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { guard, nodeListener, type Fetching, type TrustProxy } from '@openfountain/server'
import { listen } from 'listhen'
import { CommandError, usage } from './failure.ts'

interface ListenerOptions {
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  /** Reverse proxies, exempt from the connection limit of a client. Default: none. */
  readonly trustProxy?: TrustProxy
}

export interface RunningServer {
  readonly url: string
  /** Its addresses for other machines; none when it listens to this machine only. */
  readonly networkUrls: readonly string[]
  readonly port: number
  /** Closes it; open requests have ten seconds to finish. */
  close(): Promise<void>
}

const everyAddress = new Set(['0.0.0.0', '::'])

const addressesOfThisMachine = (): string[] =>
  Object.values(networkInterfaces())
    .flat()
    .flatMap((address) => (address?.family === 'IPv4' && !address.internal ? [address.address] : []))

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** @throws CommandError usage for an invalid address; listhen would silently use another one */
export function checkHost(host: string): void {
  if (!/^(?!-)[\d.:A-Za-z-]{1,63}(?<!-)$/u.test(host))
    throw usage(`--host must be an address or a name of this machine, not ${JSON.stringify(host)}`)
}

/** Listens, with limits against clients that hang; requests wait for the app that `make` gives. @throws CommandError for a busy port */
export async function listenWith(
  make: (port: number) => Fetching | Promise<Fetching>,
  { port, host, trustProxy = false }: ListenerOptions,
): Promise<RunningServer> {
  const isPublic = everyAddress.has(host)
  const unusable = (cause?: string): CommandError =>
    new CommandError(
      'busy',
      `port ${port} of ${host} cannot be used: it is taken or reserved, or the address is not this machine’s; choose another one with --port or --host`,
      'PORT_TAKEN',
      { port, host, cause },
    )
  const making = Promise.withResolvers<Fetching>()
  making.promise.catch(() => {})
  let app: Fetching = { fetch: async (request) => (await making.promise).fetch(request) }
  const { server } = await listen(nodeListener({ fetch: (request) => app.fetch(request) }), {
    port: port === 0 ? { port, random: true } : port,
    hostname: host,
    public: isPublic,
    isProd: true,
    showURL: false,
    autoClose: false,
  }).catch((error: unknown) => {
    throw unusable(error instanceof Error ? error.message : String(error))
  })
  const guarded = guard(server, { trustProxy })
  const { port: actualPort } = server.address() as AddressInfo
  try {
    if (port !== 0 && actualPort !== port) throw unusable()
    app = await make(actualPort)
    making.resolve(app)
  } catch (error) {
    making.reject(error)
    await guarded.close()
    throw error
  }
  return {
    url: urlOf(isPublic ? '127.0.0.1' : host, actualPort),
    networkUrls: isPublic ? addressesOfThisMachine().map((own) => urlOf(own, actualPort)) : [],
    port: actualPort,
    close: () => guarded.close(),
  }
}
