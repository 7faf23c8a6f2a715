import { tickingClock } from '@openfountain/testing/registry'
import { openSqlite } from '../../src/store/sqlite/store.ts'
import { engineSuite } from '@openfountain/testing/engine/suite'

engineSuite('SQLite', () => openSqlite(':memory:', { clock: tickingClock() }))
