import { openPostgres } from '@openfountain/postgres'
import { tickingClock } from '@openfountain/testing/registry'
import { engineSuite } from '@openfountain/testing/engine/suite'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

engineSuite('PostgreSQL', async () => openPostgres(await emptyDatabase(), { clock: tickingClock() }))
