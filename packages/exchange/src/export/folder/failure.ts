import { errorCatalogue, RegistryError, type ErrorCode } from '@openfountain/core'
import { LicenceConflict, type Obstacle, type Origin } from '../../licences/clearance.ts'

/** An error as it can be sent from one thread to another, which loses its class. */
export type SentFailure =
  | { readonly kind: 'registry'; readonly code: string; readonly message: string; readonly details: object }
  | {
      readonly kind: 'licence'
      readonly license: string
      readonly obstacles: readonly Obstacle[]
      readonly origins: readonly Origin[]
    }
  | { readonly kind: 'other'; readonly error: Error; readonly facts: SystemFacts }

/** Properties of errors of Node and SQLite, which a copied error lacks. */
interface SystemFacts {
  readonly code?: string
  readonly syscall?: string
  readonly path?: string
}

function systemFacts(error: unknown): SystemFacts {
  if (!(error instanceof Error)) return {}
  const facts = (['code', 'syscall', 'path'] as const).flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(facts)
}

export function sentFailure(error: unknown): SentFailure {
  if (error instanceof LicenceConflict) {
    const { license, obstacles, origins } = error
    return { kind: 'licence', license, obstacles, origins }
  }
  if (error instanceof RegistryError) {
    const { code, message, details } = error
    return { kind: 'registry', code, message, details }
  }
  return {
    kind: 'other',
    error: error instanceof Error ? error : new Error(String(error)),
    facts: systemFacts(error),
  }
}

/** The error that was sent, in its class again. */
export function receivedFailure(failure: SentFailure): Error {
  if (failure.kind === 'licence') {
    return new LicenceConflict(failure.license, failure.obstacles, failure.origins)
  }
  if (failure.kind === 'registry' && isErrorCode(failure.code)) {
    return new RegistryError(failure.code, failure.message, { ...failure.details })
  }
  return failure.kind === 'other' ? Object.assign(failure.error, failure.facts) : new Error(failure.message)
}

const isErrorCode = (code: string): code is ErrorCode => code in errorCatalogue
