import { openPostgres } from '@openfountain/postgres'
import { tickingClock } from '../../core/test/fixture.ts'
import { engineSuite } from '../../core/test/engine/suite.ts'
import { emptyDatabase } from './fixture.ts'

engineSuite('PostgreSQL', async () => openPostgres(await emptyDatabase(), { clock: tickingClock() }))
