import type { Transporter } from 'nodemailer'
import { invalid, isLoopback } from '@openfountain/core/internal'
import { addressIn } from '../email-address.ts'
import type { SendMail } from './outbox.ts'

type Smtp = ReturnType<typeof smtpOf>

export interface Sender {
  readonly name: string
  readonly address: string
}

const timeoutMs = 10_000

/** @throws RegistryError INVALID_INPUT, which never repeats the password */
export function smtpOf(given: unknown) {
  const url = typeof given === 'string' ? URL.parse(given) : null
  if (url === null || !/^smtps?:$/u.test(url.protocol) || url.hostname === '')
    throw invalid(
      'mail.smtp',
      'must be the address of a mail server, such as smtps://USER:PASSWORD@mail.example:465',
    )
  const tls = url.searchParams.get('tls') ?? 'required'
  const others = [...url.searchParams.keys()].filter((name) => name !== 'tls')
  if (!/^\/?$/u.test(url.pathname) || others.length > 0 || !/^(?:off|required)$/u.test(tls))
    throw invalid('mail.smtp', 'may only have ?tls=off after the host, for a server without TLS')
  const isSecure = url.protocol === 'smtps:'
  const isLocal = isLoopback(url.hostname)
  const needsTls = !isSecure && tls === 'required' && !isLocal
  const { username, password } = url
  // URL leaves brackets and percent signs in hosts of unknown schemes.
  const host = decodeURIComponent(url.hostname).replaceAll(/^\[|\]$/gu, '')
  return {
    host,
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    /** Whether TLS is implicit, else by STARTTLS. */
    isSecure,
    needsTls,
    /** By TLS, or within this machine. */
    isPrivate: isSecure || needsTls || isLocal,
    ...(username !== '' && { auth: { user: decoded(username), pass: decoded(password) } }),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalid('mail.smtp', 'must have user and password percent-encoded')
  }
}

/** `ada@example.org`, or `Name <ada@example.org>`. @throws RegistryError INVALID_INPUT */
export function senderOf(given: unknown, name: string): Sender {
  const text = typeof given === 'string' ? given.trim() : ''
  const parts = /^(.*?)\s*<([^<>]+)>$/u.exec(text)
  const address = addressIn(parts?.[2] ?? text)
  if (address === undefined)
    throw invalid('mail.from', 'must be an address, such as "Fountains <fountains@example.org>"')
  const shown = (parts?.[1] ?? '').replaceAll(/^"|"$/gu, '').trim()
  return { name: oneLine(shown === '' ? name : shown), address: address.mailbox }
}

/** Text for a header: no line ends, which would begin another header. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()

/** Sends mails to a server. One connection a mail, since codes are rare and open connections would have to be closed. */
export function smtpSender({ host, port, isSecure, needsTls, auth }: Smtp, from: Sender): SendMail {
  let transport: Transporter | undefined
  return async (mail, signal) => {
    // Loaded with the first mail: the library takes 5 MB.
    const { createTransport } = await import('nodemailer')
    transport ??= createTransport({
      host,
      port,
      secure: isSecure,
      requireTLS: needsTls,
      auth,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: 3 * timeoutMs,
      dnsTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return transport.sendMail({
      from: { ...from },
      to: { name: '', address: mail.to },
      subject: oneLine(mail.subject),
      text: mail.text,
      html: mail.html,
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language, ...mail.headers },
      signal,
    })
  }
}
