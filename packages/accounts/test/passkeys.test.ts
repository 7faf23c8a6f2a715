/** @module-tag browser */
import { describe, expect, test } from 'vitest'
import { ceremonies, device, site, type Device } from '@openfountain/testing/accounts/browser'
import { stage, type Stage } from '@openfountain/testing/accounts/stage'
import { afterwards } from '@openfountain/testing/afterwards'

async function passkeyStage() {
  const origin = await site()
  const made = await stage({ publicUrl: origin })
  const ada = await made.registry.users.create({ name: 'Ada' })
  return { ...made, origin, ada, phone: await device(origin) }
}

async function added({ ways }: Stage, { create }: Pick<Device, 'create'>, userId: string, name = 'Phone') {
  const { ceremony, options } = await ways.passkeys.additionOptions(userId)
  return ways.passkeys.add(userId, { ceremony, response: await create(options), name })
}

async function signedIn({ ways }: Stage, { get }: Pick<Device, 'get'>) {
  const { ceremony, options } = await ways.passkeys.signInOptions()
  return ways.passkeys.signIn(ceremony, await get(options), 'Firefox on Linux')
}

async function withPasskey() {
  const made = await passkeyStage()
  await added(made, made.phone, made.ada.id)
  return { ...made, signIn: (from: Pick<Device, 'get'> = made.phone) => signedIn(made, from) }
}

const unauthorized = { name: 'RegistryError', code: 'UNAUTHORIZED' }

describe('a passkey', () => {
  test('is added, and then signs in without a name', async () => {
    const warnings: Error[] = []
    const warned = (warning: Error) => warnings.push(warning)
    process.on('warning', warned)
    afterwards(async () => process.off('warning', warned))
    const made = await passkeyStage()
    const { registry, phone, ada } = made
    expect(await added(made, phone, ada.id, ' My phone ')).toMatchObject({
      name: 'My phone',
      isSynced: false,
    })
    const result = await signedIn(made, phone)
    expect(result).toMatchObject({ userId: ada.id, isNew: false })
    expect(await registry.sessions.resolve(result.session)).toMatchObject({ userId: ada.id })
    const stored = await phone.cdp.send('WebAuthn.getCredentials', phone)
    expect(stored.credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])
    const handle = Buffer.from(stored.credentials[0]?.userHandle ?? '', 'base64')
    expect(handle).toHaveLength(32)
    expect(handle.toString('latin1')).not.toContain(ada.id)
    expect(warnings).toEqual([])
  })

  test('of another origin is refused, although it is for the same host', async () => {
    const { phone, ada, ways, origin, signIn } = await withPasskey()
    const refusal = {
      ...unauthorized,
      message: `Passkeys of this registry work on pages of ${origin} alone`,
    }
    await phone.page.goto(await site())
    await expect(signIn()).rejects.toMatchObject(refusal)
    const { ceremony, options } = await ways.passkeys.additionOptions(ada.id)
    const response = await phone.create({ ...options, excludeCredentials: [] })
    await expect(ways.passkeys.add(ada.id, { ceremony, response, name: 'Other' })).rejects.toMatchObject(
      unauthorized,
    )
    await phone.page.goto(`${await site()}/?frame=${origin}`)
    const frame = phone.page.frames().find((each) => each.url().startsWith(origin))
    if (frame === undefined) throw new Error('The frame did not load')
    await expect(signIn(ceremonies(frame))).rejects.toMatchObject(refusal)
  })

  test('is refused when its response is sent again, for the same challenge or for another one', async () => {
    const { phone, ways, events } = await withPasskey()
    const { ceremony, options } = await ways.passkeys.signInOptions()
    const response = await phone.get(options)
    await ways.passkeys.signIn(ceremony, response)
    await expect(ways.passkeys.signIn(ceremony, response)).rejects.toMatchObject(unauthorized)
    const next = await ways.passkeys.signInOptions()
    await expect(ways.passkeys.signIn(next.ceremony, response)).rejects.toMatchObject(unauthorized)
    // The challenge was refused before the counter was checked.
    expect(events.filter(({ event }) => event === 'passkey.copied')).toEqual([])
  })

  test('whose counter did not rise is refused as a copy, and reported', async () => {
    const { phone, ada, events, registry, signIn } = await withPasskey()
    await signIn()
    const { credentials } = await phone.cdp.send('WebAuthn.getCredentials', phone)
    const [original] = credentials
    if (original === undefined) throw new Error('The authenticator has no passkey')
    await signIn()
    await phone.cdp.send('WebAuthn.clearCredentials', phone)
    await phone.cdp.send('WebAuthn.addCredential', { ...phone, credential: original })
    await expect(signIn()).rejects.toMatchObject({
      ...unauthorized,
      message: 'This passkey may have been copied: sign in in another way, and remove it',
    })
    expect(events.at(-1)).toMatchObject({ event: 'passkey.copied', user: ada.id })
    expect(await registry.sessions.list(ada.id)).toHaveLength(2)
  })

  test('needs its person: one that did not ask for them is refused', async () => {
    const { phone, ways, signIn } = await withPasskey()
    await phone.cdp.send('WebAuthn.setUserVerified', { ...phone, isUserVerified: false })
    await expect(signIn()).rejects.toThrow('NotAllowedError')
    const { ceremony, options } = await ways.passkeys.signInOptions()
    const response = await phone.get({ ...options, userVerification: 'discouraged' })
    await expect(ways.passkeys.signIn(ceremony, response)).rejects.toMatchObject(unauthorized)
  })

  test('of somebody else is not added to an account, and not taken for theirs', async () => {
    const made = await passkeyStage()
    const { phone, ada, ways, registry, origin } = made
    const eve = await registry.users.create({ name: 'Eve' })
    const { ceremony, options } = await ways.passkeys.additionOptions(ada.id)
    const response = await phone.create(options)
    await expect(ways.passkeys.add(eve.id, { ceremony, response, name: 'Phone' })).rejects.toMatchObject(
      unauthorized,
    )
    expect(await registry.accounts.passkeys(eve.id)).toEqual([])

    const laptop = await device(origin)
    await added(made, laptop, eve.id)
    const signIn = await ways.passkeys.signInOptions()
    const signed = await laptop.get(signIn.options)
    const { credentials } = await phone.cdp.send('WebAuthn.getCredentials', phone)
    const userHandle = Buffer.from(credentials[0]?.userHandle ?? '', 'base64').toString('base64url')
    const swapped = { ...signed, response: { ...signed.response, userHandle } }
    await expect(ways.passkeys.signIn(signIn.ceremony, swapped)).rejects.toMatchObject(unauthorized)
  })

  test('with a certificate of its maker is refused before the certificate is read', async () => {
    const { phone, ada, ways } = await passkeyStage()
    const { ceremony, options } = await ways.passkeys.additionOptions(ada.id)
    const response = await phone.create({ ...options, attestation: 'direct' })
    const attestation = Buffer.from(String(response.response['attestationObject']), 'base64url')
    expect(attestation.toString('latin1')).toContain('x5c')
    await expect(ways.passkeys.add(ada.id, { ceremony, response, name: 'Key' })).rejects.toMatchObject(
      unauthorized,
    )
  })

  test('that is malformed is refused, naming the member, and its ceremony can still be ended', async () => {
    const { phone, ada, ways } = await withPasskey()
    const { ceremony, options } = await ways.passkeys.signInOptions()
    const good = await phone.get(options)
    const withResponse = (changes: object) => ({ ...good, response: { ...good.response, ...changes } })
    const malformed: [path: string, response: unknown][] = [
      ['response', undefined],
      ['response', withResponse({ clientDataJSON: 'A'.repeat(8192) })],
      ['response.id', { ...good, id: 'not base64url!' }],
      ['response.type', { ...good, type: 'password' }],
      ['response.response', { ...good, response: null }],
      ['response.response.signature', withResponse({ signature: '' })],
      ['response.response.authenticatorData', withResponse({ authenticatorData: 7 })],
      ['response.response.userHandle', withResponse({ userHandle: null })],
    ]
    for (const [path, response] of malformed)
      await expect(ways.passkeys.signIn(ceremony, response), path).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { issues: [{ path }] },
      })
    expect(await ways.passkeys.signIn(ceremony, good)).toMatchObject({ userId: ada.id })
  })

  test('whose parts are other bytes is refused', async () => {
    const { phone, ways } = await withPasskey()
    for (const member of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) {
      const { ceremony, options } = await ways.passkeys.signInOptions()
      const good = await phone.get(options)
      const bytes = Buffer.from(String(good.response[member]), 'base64url')
      // The last byte: the brace of the JSON, or a signed part of the others.
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      const response = { ...good, response: { ...good.response, [member]: bytes.toString('base64url') } }
      const code = expect.stringMatching(/^(?:UNAUTHORIZED|INVALID_INPUT)$/u) as unknown
      await expect(ways.passkeys.signIn(ceremony, response), member).rejects.toMatchObject({ code })
    }
  })
})

test.each([
  'http://127.0.0.1:3000',
  'https://192.0.2.1',
  'https://[2001:db8::1]',
  'http://fountains.example',
])('passkeys are not offered at %s, where no browser has them', async (publicUrl) => {
  const { ways } = await stage({ publicUrl })
  expect(ways.methods).toEqual(['link'])
  await expect(ways.passkeys.signInOptions()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(ways.passkeys.signIn('', {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
