import { Readable } from 'node:stream'
import { malformedRequest, Problem } from '../problem.ts'

/** The largest request body in bytes. */
export const bodyLimitBytes = 64 * 1024

/** Most levels of nested objects and arrays; input of this API needs few. */
const nestingLimit = 32

/** Closes the connection after the response, since the rest of the body is not read. */
const closing = [['connection', 'close']] as const

const jsonType = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i
const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i

export interface BodyOptions {
  /** Whether the body may be absent. */
  readonly optional: boolean
  /** The time limit for the whole body. */
  readonly milliseconds: number
}

/**
 * Reads a JSON body of at most 64 KiB. h3's `readBody` takes any type and nesting, replaces what is not UTF-8 and waits
 * without end; its `assertBodySize` reads through a web stream, which costs more than most writes.
 *
 * @returns undefined for an absent optional body
 * @throws Problem UNSUPPORTED_MEDIA_TYPE for any type but JSON in UTF-8, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT for an
 * incomplete body, and INVALID_INPUT for malformed JSON
 */
export async function readJson(request: Request, { optional, milliseconds }: BodyOptions): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type === null && optional) {
    const text = await inTime(readText(request), milliseconds)
    if (text === '') return undefined
    throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  }
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', {
      message: 'Send the body without Content-Encoding',
      headers: [['accept-encoding', 'identity'], ...closing],
    })
  }
  if (type === null || !jsonType.test(type) || !/^utf-?8$/i.test(charset.exec(type)?.[1] ?? 'utf-8')) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', { headers: closing })
  }
  const text = await inTime(readText(request), milliseconds)
  if (text === '' && optional) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw malformedRequest(text === '' ? 'The body is missing; send a JSON object' : 'The body is not JSON')
  }
  if (nestsBeyond(parsed, nestingLimit)) {
    throw malformedRequest(`The body is nested more than ${nestingLimit} levels deep`)
  }
  return parsed
}

/** @throws Problem REQUEST_TIMEOUT */
async function inTime<Result>(reading: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = `The request body must arrive whole within ${milliseconds / 1000} seconds`
      reject(
        new Problem('REQUEST_TIMEOUT', {
          message,
          details: { limitMilliseconds: milliseconds },
          headers: closing,
        }),
      )
    }, milliseconds)
  })
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}

function tooLarge(): Problem {
  return new Problem('PAYLOAD_TOO_LARGE', {
    message: `A request body may have ${bodyLimitBytes} bytes at most`,
    details: { limitBytes: bodyLimitBytes },
    headers: closing,
  })
}

/** A web-standard request that srvx made from one of Node. */
interface HostedRequest extends Request {
  readonly runtime?: { readonly node?: { readonly req?: unknown } }
}

/**
 * The bytes of a body as they arrive. On Node they are read from Node's request, since a web stream around it costs
 * more than most writes; stopping early keeps the connection open for the refusal.
 */
function bytesOf(request: HostedRequest): AsyncIterable<Uint8Array> | undefined {
  const source = request.runtime?.node?.req
  const isUnread =
    source instanceof Readable && !source.readableEnded && !source.destroyed && !request.bodyUsed
  return isUnread ? source.iterator({ destroyOnReturn: false }) : (request.body ?? undefined)
}

async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > bodyLimitBytes) throw tooLarge()
  const source = bytesOf(request)
  if (source === undefined) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  try {
    for await (const part of source) {
      bytes += part.byteLength
      if (bytes > bodyLimitBytes) throw tooLarge()
      text += decodedPart(decoder, part)
    }
    return text + decodedPart(decoder)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw malformedRequest('The body ended before it was complete')
  }
}

function decodedPart(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw malformedRequest('The body is not UTF-8')
  }
}

/** Whether a value has more levels than allowed. Iterative, so that no input can exhaust the stack. */
function nestsBeyond(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value]
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth > levels) return true
    const next: unknown[] = []
    for (const item of layer) {
      if (typeof item !== 'object' || item === null) continue
      for (const child of Object.values(item))
        if (typeof child === 'object' && child !== null) next.push(child)
    }
    layer = next
  }
  return false
}
