import type { Config } from '../kernel/config.ts'
import { type AddressAnswer, askAddress } from '../platform/ask-address.ts'
import { buildInfo } from './build-info.ts'
import { type Finding, wordsOf } from './doctor.finding.ts'

const subject = 'address'
const ownMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export const isOwnMachine = (baseUrl: string): boolean => ownMachine.test(new URL(baseUrl).hostname)

interface Health {
  readonly version?: string
  readonly commit?: string
}

const healthOf = ({ status, text }: AddressAnswer): Health | undefined => {
  try {
    const body = JSON.parse(text) as { success?: boolean; data?: Health }
    return status === 200 && body.success === true && body.data?.version ? body.data : undefined
  } catch {
    return undefined
  }
}

const answered = (baseUrl: string, answer: AddressAnswer): Finding => {
  const health = healthOf(answer)
  if (health === undefined)
    return {
      subject,
      state: 'mend',
      reason: `${baseUrl} answers ${answer.status}, and not as this service`,
      todo: 'look where the proxy leads, and whether the service runs behind it',
    }
  const own = buildInfo()
  const reason = `${baseUrl} answers as version ${health.version} (${health.commit})`
  if (health.version !== own.version || health.commit !== own.commit)
    return {
      subject,
      state: 'note',
      reason: `${reason}; here is ${own.version} (${own.commit})`,
      todo: 'after an upgrade: restart the service',
    }
  if (isOwnMachine(baseUrl))
    return {
      subject,
      state: 'note',
      reason: `${reason}, which no other machine reaches`,
      todo: 'set BASE_URL to the address that people type: links in letters begin with it',
    }
  return { subject, state: 'ok', reason }
}

/** Asks the address that people type, from here. The answer is what the checks of TLS and proxy go by. */
export const checkAddress = async ({
  baseUrl,
}: Config): Promise<{ readonly answer?: AddressAnswer; readonly finding: Finding }> => {
  try {
    const answer = await askAddress(`${baseUrl}/v1/health`)
    return { answer, finding: answered(baseUrl, answer) }
  } catch (error) {
    return {
      finding: {
        subject,
        state: 'mend',
        reason: `${baseUrl} cannot be reached from here: ${wordsOf(error)}`,
        todo: 'look whether the service and the proxy run, and whether the name leads here: systemctl status interview-integrity',
      },
    }
  }
}
