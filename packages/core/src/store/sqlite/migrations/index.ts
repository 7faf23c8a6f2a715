import type { Migration } from 'kysely/migration'
import * as registry from './0001-registry.ts'
import * as searchBacklog from './0002-search-backlog.ts'
import * as ledgerUnsorted from './0003-ledger-unsorted.ts'
import * as searchExtent from './0004-search-extent.ts'
import * as places from './0005-places.ts'
import * as pages from './0006-pages.ts'
import * as sourceStates from './0007-source-states.ts'
import * as redactionsGrow from './0008-redactions-grow.ts'
import * as foldedAnew from './0009-folded-anew.ts'

/** Every migration by name, in the order in which they apply. A new one is a file and a line here. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-registry': registry,
  '0002-search-backlog': searchBacklog,
  '0003-ledger-unsorted': ledgerUnsorted,
  '0004-search-extent': searchExtent,
  '0005-places': places,
  '0006-pages': pages,
  '0007-source-states': sourceStates,
  '0008-redactions-grow': redactionsGrow,
  '0009-folded-anew': foldedAnew,
}
