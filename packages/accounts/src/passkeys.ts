import { createHash } from 'node:crypto'
import { type Registry, RegistryError } from '@openfountain/core'
import {
  invalid,
  parseForeign,
  type PasskeyInfo,
  type PasskeySignIn,
  type SignInResult,
  WayName,
} from '@openfountain/core/internal'
import { z } from 'zod'
import { relyingPartyOf, type PublicUrl } from './public-url.ts'

/** Loaded with the first passkey: the library takes 10 MB, which a registry without accounts does not need. */
const webAuthn = () => import('@simplewebauthn/server')

const largest = 8192
const Bytes = z.string().regex(/^[A-Za-z0-9_-]+$/u, { message: 'must be in base64url' })
const Credential = { id: Bytes, rawId: Bytes, type: z.literal('public-key') }

const Assertion = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Bytes,
  }),
})
const Attestation = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/u))
      .max(8)
      .default([]),
  }),
})
const ClientData = z.object({ origin: z.string(), crossOrigin: z.boolean().optional() })
const Addition = z.object({ response: Attestation, name: WayName })

/** Parses the JSON of a credential. @throws RegistryError INVALID_INPUT, which names the member */
function parsed<Schema extends z.ZodType>(schema: Schema, given: Readonly<Record<string, unknown>>) {
  if (JSON.stringify(given['response'] ?? null).length > largest)
    throw invalid('response', `must have at most ${largest} characters of JSON`)
  return parseForeign(schema, given)
}

const refused = (reason: string): RegistryError => new RegistryError('UNAUTHORIZED', reason)
const unverified = 'This passkey was refused: try again, or sign in in another way'

/** The user handle of a passkey, which anybody with the device may read: SHA-256 of the user's id. */
const handleOf = (userId: string) => Uint8Array.from(createHash('sha256').update(userId).digest())

/** Passkeys: discoverable credentials of WebAuthn, with user verification. */
export class Passkeys implements PasskeySignIn {
  readonly #registry: Registry
  readonly #publicUrl: PublicUrl
  readonly #name: string

  constructor(
    registry: Registry,
    { publicUrl, name }: { readonly publicUrl: PublicUrl; readonly name: string },
  ) {
    this.#registry = registry
    this.#publicUrl = publicUrl
    this.#name = name
  }

  /** @throws RegistryError NOT_FOUND where browsers refuse passkeys */
  #relyingParty(): string {
    const id = relyingPartyOf(this.#publicUrl)
    if (id === undefined)
      throw new RegistryError(
        'NOT_FOUND',
        'Passkeys are not offered here: the public URL must be https with the name of a host, or localhost',
      )
    return id
  }

  async signInOptions() {
    const { generateAuthenticationOptions } = await webAuthn()
    const options = await generateAuthenticationOptions({
      rpID: this.#relyingParty(),
      userVerification: 'required',
      timeout: timeoutMs,
    })
    const { challenge } = options
    const ceremony = await this.#registry.accounts.beginCeremony('passkey sign-in', { challenge })
    return { ceremony, options: { ...options } }
  }

  async signIn(ceremony: string, given: unknown, device?: string): Promise<SignInResult> {
    const rpId = this.#relyingParty()
    const { response } = parsed(z.object({ response: Assertion }), { response: given })
    const { accounts } = this.#registry
    const { challenge = '' } = await accounts.endCeremony(ceremony, 'passkey sign-in')
    this.#checkOrigin(response.response.clientDataJSON)
    const kept = await accounts.passkey(response.id)
    if (kept === undefined) throw refused('This passkey is not known here: sign in in another way')
    const handle = Buffer.from(handleOf(kept.userId)).toString('base64url')
    if (response.response.userHandle !== handle) throw refused(unverified)
    const { verifyAuthenticationResponse } = await webAuthn()
    const { verified, authenticationInfo } = await outcome(() =>
      verifyAuthenticationResponse({
        response: { ...response, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: this.#publicUrl.origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        // The registry compares counters in the transaction that stores the new one.
        credential: { id: kept.credentialId, publicKey: bytesOf(kept.publicKey), counter: 0 },
      }),
    )
    if (!verified) throw refused(unverified)
    return accounts.signInWithPasskey(response.id, { counter: authenticationInfo.newCounter, device })
  }

  async additionOptions(userId: string) {
    const rpID = this.#relyingParty()
    const { accounts, users } = this.#registry
    const { name } = await users.profile(userId)
    const { generateRegistrationOptions } = await webAuthn()
    const options = await generateRegistrationOptions({
      rpName: this.#name,
      rpID,
      userID: handleOf(userId),
      userName: name,
      userDisplayName: name,
      attestationType: 'none',
      excludeCredentials: (await accounts.passkeys(userId)).map(({ credentialId }) => ({ id: credentialId })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: algorithms,
      timeout: timeoutMs,
    })
    const { challenge } = options
    const ceremony = await accounts.beginCeremony('passkey addition', { challenge, userId })
    return { ceremony, options: { ...options } }
  }

  async add(
    userId: string,
    given: { readonly ceremony: string; readonly response: unknown; readonly name: unknown },
  ): Promise<PasskeyInfo> {
    const rpId = this.#relyingParty()
    const { response, name } = parsed(Addition, { response: given.response, name: given.name })
    const { accounts } = this.#registry
    const expected = await accounts.endCeremony(given.ceremony, 'passkey addition')
    if (expected['userId'] !== userId) throw refused('Somebody else began to add this passkey: begin again')
    this.#checkOrigin(response.response.clientDataJSON)
    const { verifyRegistrationResponse } = await webAuthn()
    const { registrationInfo } = await outcome(async () => {
      await checkAttestation(response.response.attestationObject)
      return verifyRegistrationResponse({
        response: { ...response, clientExtensionResults: {} },
        expectedChallenge: expected['challenge'] ?? '',
        expectedOrigin: this.#publicUrl.origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      })
    })
    if (registrationInfo === undefined || registrationInfo.credential.id !== response.id)
      throw refused(unverified)
    const { credential, credentialDeviceType } = registrationInfo
    return accounts.addPasskey({
      userId,
      name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: response.response.transports,
      isSynced: credentialDeviceType === 'multiDevice',
    })
  }

  /** @throws RegistryError INVALID_INPUT, UNAUTHORIZED for another origin or a frame in another site's page */
  #checkOrigin(clientDataJSON: string): void {
    const { origin, crossOrigin } = clientDataOf(clientDataJSON)
    if (origin !== this.#publicUrl.origin || crossOrigin === true)
      throw refused(`Passkeys of this registry work on pages of ${this.#publicUrl.origin} alone`)
  }
}

/** EdDSA, ES256 and RS256 (COSE); the library's default has experimental ones of Node, which print warnings. */
const algorithms = [-8, -7, -257]

/** The browser's timeout for the person, in milliseconds. */
const timeoutMs = 300_000

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))

function clientDataOf(text: string) {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw invalid('response.response.clientDataJSON', 'must be the JSON of client data')
  }
}

/** Certificates, for which nobody asked, are refused unread: they name addresses for fetching revocations. */
async function checkAttestation(text: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const object = decodeAttestationObject(bytesOf(text))
  const isPlain = object.get('fmt') === 'none' || object.get('fmt') === 'packed'
  if (!isPlain || object.get('attStmt').get('x5c') !== undefined) throw refused(unverified)
}

/** The result of a verifier. Its own errors have values in their messages, so they are replaced. */
async function outcome<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch {
    throw refused(unverified)
  }
}
