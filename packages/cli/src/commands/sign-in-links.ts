import type { SignInLink } from '@openfountain/core'
import { command, type Context } from '../command.ts'
import { addressOptions, siteAddressOf, signInLink, type AddressSettings } from '../public-url.ts'
import { powerOptions, withRegistry } from '../settings.ts'

/** Prints a sign-in link; its secret is shown once. */
function show(settings: AddressSettings, { secret, expiresAt }: SignInLink, { out }: Context): void {
  const link = signInLink(settings, secret)
  out.result({ link, secret, expiresAt }, () => [link])
  if (out.json) return
  out.note(`It signs in once, until ${expiresAt}; shown only this once. Whoever has it can use it.`)
  if (settings['public-url'] === undefined)
    out.note('Is the registry at another address? Set it with --public-url URL or OPENFOUNTAIN_PUBLIC_URL')
}

/** Checks the address before a link is made. @throws CommandError usage */
function checkAddress({ 'public-url': publicUrl }: AddressSettings): void {
  if (publicUrl !== undefined) siteAddressOf(publicUrl)
}

const about =
  'The registry keeps only a hash of the secret in it. Nothing has to be configured for it: whoever opens it can add a passkey, to sign in without it later.'

export const userInvite = command({
  name: 'user invite',
  summary: 'Prints a link with which somebody gets an account, once, within 24 hours.',
  more: `Send it to them yourself. ${about} Where serve has --registration closed it makes no account: it waits until that is changed, or it expires.`,
  options: {
    ...powerOptions,
    name: {
      type: 'text',
      value: 'NAME',
      about: 'The name that is suggested to them; default they choose it',
    },
    moderator: { type: 'flag', about: 'Lets them approve, verify, delete and block' },
    ...addressOptions,
  },
  examples: [
    {
      line: 'openfountain user invite --public-url https://fountains.example',
      does: 'Prints the link and nothing else',
    },
    { line: 'openfountain user invite --name Ada --moderator', does: 'Invites a moderator' },
    {
      line: 'openfountain user invite --json',
      does: 'Prints { "link": …, "secret": …, "expiresAt": … }',
    },
  ],
  async run({ name, moderator, ...options }, _positionals, context) {
    checkAddress(options)
    await withRegistry(options, 'create', context, async (registry) => {
      show(options, await registry.accounts.invite({ name, isModerator: moderator }), context)
    })
  },
})

export const userLink = command({
  name: 'user link',
  summary: 'Prints a link with which a user signs in, once, within 24 hours.',
  more: `For another device, or for somebody who lost every way to sign in: be sure that it is them. ${about}`,
  options: {
    ...powerOptions,
    user: { type: 'text', value: 'ID', required: true, about: 'The user to sign in' },
    ...addressOptions,
  },
  examples: [
    { line: 'openfountain user link --user ada', does: 'Prints the link and nothing else' },
    {
      line: 'openfountain user link --user ada --json',
      does: 'Prints { "link": …, "secret": …, "expiresAt": … }',
    },
  ],
  async run({ user, ...options }, _positionals, context) {
    checkAddress(options)
    await withRegistry(options, 'change', context, async (registry) => {
      show(options, await registry.accounts.link(user), context)
    })
  },
})
