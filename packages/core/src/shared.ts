import type { LogSigner } from '@openfountain/tlog'
import type { Actor, Occasion } from './decide/contributor.ts'
import { nounOf, withoutEntries, type Decided, type Job } from './decide/deciding.ts'
import type { ErasureList } from './erasures.ts'
import type { KeyOf, NounName, Nouns } from './log/nouns.ts'
import type { Labelling } from './places/labels.ts'
import type { WriteTerms } from './properties-declared.ts'
import type { AccessChanges, ReportSecurity } from './security-events.ts'
import type { PhotoKeeping } from './photo-files.ts'
import type { Store } from './store/port.ts'
import type { Reads } from './store/reads.ts'

/** The dependencies shared by the nouns of a registry. @internal */
export interface Shared extends WriteTerms {
  readonly store: Store
  readonly license: string
  /** The publisher. */
  readonly author: string
  readonly photos: PhotoKeeping | undefined
  readonly signer: (() => Promise<LogSigner | undefined>) | undefined
  readonly report: ReportSecurity
  readonly access: AccessChanges
  readonly erasures: ErasureList | undefined
  readonly newId: () => string
  readonly labelling: Labelling
  readonly contribute: Contribute
}

/** Writes what a decision by an actor makes, under the rules of the registry. @internal */
export type Contribute = <Answer>(
  actor: Actor,
  decide: (occasion: Occasion) => Decided<Answer>,
  options?: Pick<Job<Answer>, 'dryRun'>,
) => Promise<Answer>

/** A member of a registry, which makes it. */
export abstract class Part {
  readonly #shared: Shared

  /** @internal */
  constructor(shared: Shared) {
    this.#shared = shared
  }

  /** @internal */
  protected get shared(): Shared {
    return this.#shared
  }

  /** @internal */
  protected get store(): Store {
    return this.#shared.store
  }

  /** @internal */
  protected get read(): Reads {
    return this.#shared.store.read
  }

  /** The current state of a noun, tombstones too; undefined when there is none. @internal */
  protected asItIs<Noun extends NounName>(noun: Noun, key: KeyOf<Noun>): Promise<Nouns[Noun] | undefined> {
    return this.store.write({
      *decide() {
        return withoutEntries(yield* nounOf(noun, key))
      },
      dryRun: true,
    })
  }
}
