import './app/memory-settings.ts'
import { ConfigError, readConfig } from './app/config.ts'
import { welcome } from './app/first-start.ts'
import { startServer } from './app/server.ts'

try {
  const config = readConfig(process.env)
  const running = await startServer(config, { metrics: true })
  await welcome(running.built.app, running.listening.url)
  const leave = () => {
    running.built.app.log.info('stopping: requests finish, streams close')
    void running.stop().then(() => process.exit(0))
  }
  process.once('SIGTERM', leave)
  process.once('SIGINT', leave)
} catch (error) {
  const message = error instanceof ConfigError ? error.message : error
  console.error(message)
  process.exit(1)
}
