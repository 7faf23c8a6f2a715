import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { portOf } from '../listening.ts'

/** A plain web host for a built site: files, index.html, 404.html, gzip and range requests; nothing else. */
export type StaticHost = Awaited<ReturnType<typeof hostFolder>>

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  geojson: 'application/geo+json',
  svg: 'image/svg+xml',
  png: 'image/png',
  xml: 'application/xml',
  atom: 'application/atom+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
}

/** Without `ranges` it ignores Range, like some hosts. */
export async function hostFolder(folder: string, { base = '/', ranges = true } = {}) {
  const sent = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const { socket, url: address = '/' } = request
    const before = socket.bytesWritten
    response.once('close', () => {
      sent.set(address, Math.max(sent.get(address) ?? 0, socket.bytesWritten - before))
    })
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname)
    const inside = path.startsWith(base) ? normalize(`/${path.slice(base.length)}`) : undefined
    let file = inside === undefined ? join(folder, '404.html') : join(folder, inside)
    let found = inside === undefined ? undefined : await stat(file).catch(() => undefined)
    if (found?.isDirectory()) {
      if (!path.endsWith('/')) {
        response.writeHead(301, { location: `${path}/` }).end()
        return
      }
      file = join(file, 'index.html')
      found = await stat(file).catch(() => undefined)
    }
    const status = found ? 200 : 404
    if (!found) {
      file = join(folder, '404.html')
      found = await stat(file).catch(() => undefined)
    }
    // The browser may have disconnected while the disk was read.
    if (response.destroyed) return
    const type = mediaTypes[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    const size = found?.size ?? 0
    const range = ranges ? /^bytes=(\d+)-(\d*)$/u.exec(request.headers.range ?? '') : null
    const headers = { 'content-type': type, ...(ranges && { 'accept-ranges': 'bytes' }) }
    if (!found) {
      response.writeHead(404, headers).end()
    } else if (range) {
      const from = Number(range[1])
      const to = range[2] ? Math.min(Number(range[2]), size - 1) : size - 1
      response.writeHead(206, {
        ...headers,
        'content-range': `bytes ${from}-${to}/${size}`,
        'content-length': to - from + 1,
      })
      pipeline(createReadStream(file, { start: from, end: to }), response, () => undefined)
    } else if (
      /text|json|xml|javascript/u.test(type) &&
      /gzip/u.test(request.headers['accept-encoding'] ?? '')
    ) {
      response.writeHead(status, { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' })
      pipeline(createReadStream(file), createGzip(), response, () => undefined)
    } else {
      response.writeHead(status, { ...headers, 'content-length': size })
      pipeline(createReadStream(file), response, () => undefined)
    }
  })
  const port = await portOf(server)
  server.unref()
  return {
    url: `http://127.0.0.1:${port}${base}`,
    /** Bytes sent since the start, headers included, each address counted once. */
    bytesSent: () => [...sent.values()].reduce((sum, bytes) => sum + bytes, 0),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
