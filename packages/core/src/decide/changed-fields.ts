import { isSameValue } from '../log/canonical-json.ts'
import type { ChangedFields } from '../log/entry.ts'

/** The fields whose value a patch changes, of these; `null` for one that it clears, as an empty text does. */
export function changedFields<Name extends string>(
  names: readonly Name[],
  before: { readonly [Each in Name]?: unknown },
  patch: { readonly [Each in Name]?: unknown },
): ChangedFields {
  const changes: Record<string, unknown> = {}
  for (const name of names) {
    const value = patch[name] === '' ? null : patch[name]
    if (value !== undefined && !isSameValue(value, before[name] ?? null)) changes[name] = value
  }
  return changes
}
