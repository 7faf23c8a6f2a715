import { nounOf, withoutEntries } from './decide/deciding.ts'
import type { KeyOf, NounName, Nouns } from './log/nouns.ts'
import type { Store } from './store/port.ts'

/** The current state of a noun, tombstones too; undefined when there is none. @internal */
export function asItIs<Noun extends NounName>(
  store: Store,
  noun: Noun,
  key: KeyOf<Noun>,
): Promise<Nouns[Noun] | undefined> {
  return store.write({
    *decide() {
      return withoutEntries(yield* nounOf(noun, key))
    },
    dryRun: true,
  })
}
