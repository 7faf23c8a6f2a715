import { limits, ok, warning, wrong, type Finding } from './finding.ts'
import type { Settings } from './settings.ts'

type Asked = Pick<Response, 'status' | 'headers'>

/** Requests the public address. @throws what `fetch` throws */
async function ask(publicUrl: string, path: string): Promise<Asked> {
  const signal = AbortSignal.timeout(limits.answerSeconds * 1000)
  const response = await fetch(new URL(path, publicUrl), { signal, redirect: 'manual' })
  await response.body?.cancel()
  return response
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

function headerFindings({ headers }: Asked, { publicUrl = '', hsts }: Settings): Finding[] {
  const needed = [
    'x-content-type-options',
    'content-security-policy',
    ...(publicUrl.startsWith('https:') && hsts !== 'off' ? ['strict-transport-security'] : []),
  ]
  return needed
    .filter((name) => !headers.has(name))
    .map((name) =>
      wrong('proxy', `${publicUrl} does not pass the header ${name} on: see the example of the proxy`),
    )
}

/** Whether the proxy forwards client addresses; without them the server takes its requests for local ones. */
async function forwardingFindings({ publicUrl = '', metrics }: Settings): Promise<Finding[]> {
  if (metrics !== 'loopback')
    return [
      warning('proxy', 'Whether the proxy passes addresses on shows only with OPENFOUNTAIN_METRICS=loopback'),
    ]
  const { status } = await ask(publicUrl, '/api/metrics')
  const lost =
    'The proxy does not pass the addresses of clients on (X-Forwarded-For): all count as one, and strangers read the metrics'
  return status === 404 ? [] : [wrong('proxy', lost)]
}

async function answeredFindings(settings: Settings): Promise<Finding[]> {
  const { publicUrl = '' } = settings
  try {
    const health = await ask(publicUrl, '/api/health')
    if (health.status !== 200)
      return [wrong('proxy', `${publicUrl}/api/health responds with ${health.status}, not with 200`)]
    const findings = [...headerFindings(health, settings), ...(await forwardingFindings(settings))]
    return findings.length > 0
      ? findings
      : [ok('proxy', `${publicUrl} responds, with the headers that it should`)]
  } catch (error) {
    return [wrong('proxy', `${publicUrl} cannot be reached: ${causeOf(error)}`)]
  }
}

/** Whether browsers reach the registry, through a proxy that forwards client addresses. */
export async function proxyFindings(settings: Settings, isOffline: boolean): Promise<Finding[]> {
  const { publicUrl, trustsProxy } = settings
  if (publicUrl === undefined)
    return [
      warning('proxy', 'OPENFOUNTAIN_PUBLIC_URL is not set: passkeys and links are for this machine alone'),
    ]
  const remedy =
    'OPENFOUNTAIN_TRUST_PROXY is not set: the server takes all who come through the proxy for one; set it to loopback, or to the address of the proxy'
  const untrusted = publicUrl.startsWith('https:') && !trustsProxy ? [wrong('proxy', remedy)] : []
  if (!URL.canParse(publicUrl)) return untrusted
  if (!isOffline) return [...untrusted, ...(await answeredFindings(settings))]
  return [...untrusted, warning('proxy', `${publicUrl} was not asked, because of --offline`)]
}
