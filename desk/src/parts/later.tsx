import { Actions, Button } from '@integrity/shared-ui/web/button'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { type ComponentType, useEffect, useState } from 'react'
import { useLanguage } from './language.ts'

type Load<Props> = () => Promise<ComponentType<Props>>

/** A component whose script is loaded when it is first shown. It says so, and how to try again where that fails. */
export const later = <Props extends object>(load: Load<Props>): ComponentType<Props> => {
  let loaded: ComponentType<Props> | undefined
  return function Later(props: Props) {
    const { t } = useLanguage()
    const [tries, setTries] = useState(1)
    const [failedTry, setFailedTry] = useState(0)
    const [Shown, setShown] = useState(() => loaded)
    useEffect(() => {
      if (loaded) return
      load().then(
        (component) => {
          loaded = component
          setShown(() => component)
        },
        () => setFailedTry(tries),
      )
    }, [tries])
    if (Shown) return <Shown {...props} />
    const failed = failedTry === tries
    return (
      <>
        <p role="status">{failed ? null : t('loading')}</p>
        <AlertNotice>{failed ? t('failedOffline') : null}</AlertNotice>
        {failed ? (
          <Actions>
            <Button onClick={() => setTries(tries + 1)}>{t('tryAgain')}</Button>
          </Actions>
        ) : null}
      </>
    )
  }
}
