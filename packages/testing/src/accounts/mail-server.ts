import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterwards } from '../afterwards.ts'

function decoded(part: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(part, 'base64').toString()
  if (encoding !== 'quoted-printable') return part
  const bytes = part
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/gu, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

function headersOf(head: string): Map<string, string> {
  const lines = head.replaceAll(/\r\n[ \t]+/gu, ' ').split('\r\n')
  return new Map(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.toLowerCase(), value.join(':').trim()]
    }),
  )
}

function split(source: string) {
  const end = source.indexOf('\r\n\r\n')
  return { headers: headersOf(source.slice(0, end)), body: source.slice(end + 4) }
}

function received(from: string, to: readonly string[], source: string) {
  const { headers, body } = split(source)
  const [, boundary] = /boundary="([^"]+)"/u.exec(headers.get('content-type') ?? '') ?? []
  const parts = (boundary === undefined ? [source] : body.split(`--${boundary}`)).map(split).map((part) => ({
    type: part.headers.get('content-type') ?? '',
    content: decoded(part.body, part.headers.get('content-transfer-encoding') ?? '').replaceAll('\r\n', '\n'),
  }))
  const part = (type: string) => parts.find((each) => each.type.startsWith(type))?.content ?? ''
  return { from, to, source, headers, text: part('text/plain'), html: part('text/html') }
}

/** @param options `refuse` has the responses to the next mails for an address, in their order */
export async function mailServer({
  refuse = {},
  ...options
}: SMTPServerOptions & {
  readonly refuse?: Readonly<Record<string, { readonly code: number; readonly text: string }[]>>
} = {}) {
  const mails: ReturnType<typeof received>[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, callback) {
      void (async () => {
        const source = await text(stream)
        const { mailFrom, rcptTo } = session.envelope
        const refusal = refuse[rcptTo[0]?.address ?? '']?.shift()
        if (refusal !== undefined) {
          callback(Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
          return
        }
        const from = mailFrom === false ? '' : mailFrom.address
        const to = rcptTo.map(({ address }) => address)
        mails.push(received(from, to, source))
        callback()
      })()
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  afterwards(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  let seen = 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async next(to: string) {
      await expect.poll(() => mails.slice(seen).some((mail) => mail.to.includes(to))).toBe(true)
      const index = mails.findIndex((mail, place) => place >= seen && mail.to.includes(to))
      seen = index + 1
      const mail = mails[index]
      if (mail === undefined) throw new Error(`No mail to ${to}`)
      const [, left = '', right = ''] = /^ {4}(\d{4}) (\d{4})$/mu.exec(mail.text) ?? []
      return { ...mail, code: `${left}${right}` }
    },
  }
}
