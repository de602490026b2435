import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { secondsOverdue } from '../domains/deliveries/deliveries.queue.service.ts'
import { nextExpirySeconds } from '../domains/updates/updates.service.ts'
import type { PipelineParts } from '../pipeline/pipeline-parts.ts'

/** Where `admin backup` writes when the last one ended, in epoch milliseconds. */
export const lastBackupFile = (dataDir: string): string => join(dataDir, 'last-backup')

const lastBackupSeconds = async (dataDir: string): Promise<number> => {
  try {
    return Number(await readFile(lastBackupFile(dataDir), 'utf8')) / 1000
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

/** What is read when somebody scrapes. The alerts and the dashboard in `server/monitoring` are made of these. */
export const registerGauges = (app: PipelineParts): void => {
  const { metrics, config } = app
  const space = async (blocks: 'bavail' | 'blocks') => {
    const found = await statfs(config.dataDir)
    return found[blocks] * found.bsize
  }
  metrics.gauge('event_streams_open', 'Event streams open in this process.', () => app.streams.size)
  metrics.gauge(
    'shared_state_up',
    '1 while this process counts together with the others, or is the only one; 0 while it goes on with its share alone.',
    () => (app.shared.state() === 'away' ? 0 : 1),
  )
  metrics.gauge('live_sockets_open', 'Live sockets open in this process.', () => app.sockets.size)
  metrics.gauge(
    'signed_documents_expire_seconds',
    'Time until the first update manifest or security policy in force expires; negative once it has.',
    async () => (await nextExpirySeconds({ reader: app.db.reader }, app.clock.now())) ?? Number.NaN,
  )
  metrics.gauge('deliveries_overdue_seconds', 'How long the most overdue webhook delivery has been waiting.', () =>
    secondsOverdue(app),
  )
  metrics.gauge('data_dir_free_bytes', 'Room left on the disk of DATA_DIR.', () => space('bavail'))
  metrics.gauge('data_dir_size_bytes', 'Size of the disk of DATA_DIR.', () => space('blocks'))
  metrics.gauge('backup_last_success_timestamp_seconds', 'When the last backup ended; 0 where none was made.', () =>
    lastBackupSeconds(config.dataDir),
  )
}
