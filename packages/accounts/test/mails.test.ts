import { parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { codesOf, stage } from '@openfountain/testing/accounts/stage'
import { mailServer } from '@openfountain/testing/accounts/mail-server'
import { mailLanguages } from '../src/mail/letter.ts'
import type { AccountsOptions } from '@openfountain/accounts'

async function mailed(
  given: { language?: string; userId?: string; email?: string } = {},
  options: Partial<AccountsOptions> = {},
) {
  const { email = 'ada@example.org', ...more } = given
  const server = await mailServer()
  const made = await stage({
    publicUrl: 'https://fountains.example',
    registration: 'open',
    mail: { smtp: server.url, from: 'fountains@example.org' },
    ...options,
  })
  await codesOf(made).send(email, more)
  return server.next(email)
}

test('the mail has the code, a link for the same browser with the code in its fragment, and who sent it', async () => {
  const mail = await mailed()
  expect(mail.from).toBe('fountains@example.org')
  expect(mail.headers.get('from')).toBe('Fountains of Lund <fountains@example.org>')
  expect(mail.headers.get('subject')).toBe('Your code for Fountains of Lund')
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
  expect(mail.headers.get('content-language')).toBe('en')
  expect(mail.code).toMatch(/^\d{8}$/u)
  const link = `https://fountains.example/sign-in/#code=${mail.code}&email=ada%40example.org`
  expect(mail.text).toContain(`Continue\n${link}\n`)
  expect(mail.html).toContain(`href="${link.replace('&', '&amp;')}"`)
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain('It works only in the browser in which you asked for it.')
    expect(part).toContain('valid for 10 minutes')
    expect(part).toContain('You did not ask for it?')
    expect(part).toContain('because your address was entered at https://fountains.example.')
  }
  // A locked phone shows the subject, which must not have the code.
  expect(mail.headers.get('subject')).not.toContain(mail.code.slice(0, 4))
})

test('the link leads below the path of the site, the mail that adds an address says so, and an address is written as it is', async () => {
  const email = "o'neill&co#1@example.org"
  const { headers, text } = await mailed({ userId: 'u1', email }, { sitePath: '/map' })
  expect(headers.get('subject')).toBe('Confirm your address for Fountains of Lund')
  expect(text).toContain('This code adds this address to your account')
  const [, fragment = ''] = /\nhttps:\/\/fountains\.example\/map\/\S*#(\S+)/u.exec(text) ?? []
  expect(new URLSearchParams(fragment).get('email')).toBe(email)
})

describe.each(mailLanguages)('in %s', (language) => {
  test('the mail is written in the language of its reader, and loads nothing', async () => {
    const mail = await mailed({ language: `${language.toUpperCase()}-XX` })
    expect(mail.headers.get('content-language')).toBe(language)
    expect(mail.html).toContain(`<html lang="${language}">`)
    expect(`${mail.text}${mail.html}`).not.toMatch(/\{\w+\}/u)
    expect(mail.html).not.toMatch(
      /<(?:img|link|script|iframe|object|embed|video|audio|form|input)|url\(|@import|src=/iu,
    )
    const addresses = [...mail.html.matchAll(/https?:\/\/[\w.-]+\w/gu)].map(([address]) => address)
    expect(addresses).toEqual(['https://fountains.example', 'https://fountains.example'])
    const errors: string[] = []
    parse(mail.html, { onParseError: ({ code }) => errors.push(code) })
    expect(errors).toEqual([])
  })
})

test('mails are in English when their reader’s language has no texts', async () => {
  for (const language of ['tlh', '', '__proto__', 'constructor'])
    expect((await mailed({ language })).headers.get('content-language')).toBe('en')
})

test('the name of a registry is data: it begins no element, no header and no other recipient', async () => {
  const name = 'A<script>&"\r\nBcc: eve@example.org\u0000, <eve@example.org>'
  const mail = await mailed({}, { name })
  const shown = 'A<script>&" Bcc: eve@example.org , <eve@example.org>'
  expect(mail.to).toEqual(['ada@example.org'])
  expect(mail.headers.has('bcc')).toBe(false)
  expect(mail.text).toContain(`This code signs you in to ${shown}:`)
  expect(mail.html).toContain('A&lt;script&gt;&amp;&quot; Bcc: eve@example.org , &lt;eve@example.org&gt;')
  expect(mail.html).not.toContain('<script')
})
