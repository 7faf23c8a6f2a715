import type { InstanceErrorCode, InstanceFailure } from '@openfountain/exchange'
import { CommandError } from '../failure.ts'

const texts: { readonly [Code in InstanceErrorCode]: (failure: InstanceFailure<Code>) => string } = {
  UNREACHABLE: ({ url, message }) => `${url} cannot be reached: ${message}`,
  BAD_STATUS: ({ url, status }) => `${url} returned ${status}: is this the address of an instance?`,
  REDIRECTED: ({ url, location }) =>
    `${url} leads to ${location}, which is not followed: give that address if you trust it`,
  TOO_LARGE: ({ url, bytes }) => `${url} returns more than ${bytes.toLocaleString('en')} bytes`,
  TOO_SLOW: ({ url, seconds }) => `${url} was not complete after ${seconds.toLocaleString('en')} seconds`,
  BAD_RESPONSE: ({ url, issues }) =>
    `${url} does not return what is expected: ${issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')}`,
}

export function instanceText<Code extends InstanceErrorCode>(failure: InstanceFailure<Code>): string {
  const text: (given: InstanceFailure<Code>) => string = texts[failure.code]
  return text(failure)
}

/** A failure of another instance as a failure of the command; other errors unchanged. */
export async function mirrorFailure(error: unknown): Promise<unknown> {
  const { InstanceError } = await import('@openfountain/exchange')
  if (!(error instanceof InstanceError)) return error
  return new CommandError('unreachable', instanceText(error.failure), 'INSTANCE_ERROR', { ...error.failure })
}
