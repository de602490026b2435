import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/link.ts'

/** What the pages behind e-mailed links have in common. */
export const texts: Translated<typeof en> = {
  languageLabel: 'भाषा',
  reload: 'फिर से लोड करें',
  brokenTitle: 'इस पेज पर कुछ गड़बड़ हो गई',
  brokenText: 'कृपया पेज फिर से लोड करें। आपका लिखा हुआ अब भी यहीं है।',

  openingTitle: 'कृपया थोड़ा रुकें',
  openingText: 'पेज खुल रहा है।',
  offlineTitle: 'सेवा से संपर्क नहीं हो पा रहा है',
  offlineText: 'यह पेज अपने-आप फिर कोशिश करता है। कृपया इस कंप्यूटर का नेटवर्क जाँचें।',
  troubleTitle: 'सेवा अभी उत्तर नहीं दे पा रही है',
  troubleText: 'इसमें आपकी कोई गलती नहीं है। यह पेज अपने-आप फिर कोशिश करता है।',
  tryNow: 'अभी कोशिश करें',

  wrongTitle: 'यह लिंक सही नहीं है',
  wrongText: 'हो सकता है वह अधूरा कॉपी हुआ हो या किसी दूसरी सेवा का हो। कृपया उसे संदेश से फिर खोलें।',

  passwordHelp: 'कम से कम 15 अक्षर। कुछ ऐसे शब्द अच्छे रहते हैं जो आपको याद रहें।',
  passwordShow: 'पासवर्ड दिखाएँ',
  passwordHide: 'पासवर्ड छिपाएँ',

  cancel: 'वापस जाएँ',
  optional: '(ज़रूरी नहीं)',
  sending: 'थोड़ा रुकें …',
  notReached: 'अभी सेवा से संपर्क नहीं हो पा रहा है। कृपया फिर कोशिश करें; आपका लिखा हुआ यहीं रहता है।',
  tooMany: 'थोड़े समय में बहुत बार कोशिश हुई है। कृपया थोड़ा रुककर फिर कोशिश करें; आपका लिखा हुआ यहीं रहता है।',
  notAccepted: 'सेवा ने इसे स्वीकार नहीं किया। आपका लिखा हुआ यहीं रहता है।',
  contact: 'अपने डेटा के बारे में {org} में किससे पूछें:',
}
