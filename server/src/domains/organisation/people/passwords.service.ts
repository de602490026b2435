import { invalid } from '@integrity/protocol'
import { hashPassword } from '../../../platform/crypto/passwords.ts'
import { type PasswordOwner, passwordFault } from './passwords.model.ts'

/** The hash of a password that somebody sets, outside any transaction. Throws `invalid_request` with why it is refused. */
export const hashNewPassword = async (password: string, owner: PasswordOwner): Promise<string> => {
  const fault = passwordFault(password, owner)
  if (fault) throw invalid('password', fault)
  return hashPassword(password)
}
