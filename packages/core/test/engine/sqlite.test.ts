import { tickingClock } from '../fixture.ts'
import { openSqlite } from '../../src/store/sqlite/store.ts'
import { engineSuite } from './suite.ts'

engineSuite('SQLite', () => openSqlite(':memory:', { clock: tickingClock() }))
