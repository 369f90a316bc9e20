# Shows pages in Chromium, by Selenium. Reads questions and writes answers, a line of JSON each:
#   { load: JavaScript }                                      it is loaded before each page
#   { show: path, width, height, is_phone, scheme, medium }   a list of what the page did that it should not do
#   { see: expression of JavaScript }                         its value
#   { picture: path }                                         writes a picture of the screen

import json
import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service


def started():
    options = webdriver.ChromeOptions()
    for word in ('headless=new', 'no-sandbox', 'disable-gpu', 'hide-scrollbars', 'host-resolver-rules=MAP * ~NOTFOUND'):
        options.add_argument('--' + word)
    options.binary_location = sys.argv[1]
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
    options.set_capability('unhandledPromptBehavior', 'dismiss')
    return webdriver.Chrome(options=options, service=Service(sys.argv[2]))


def requests(browser, page):
    messages = [json.loads(entry['message'])['message'] for entry in browser.get_log('performance')]
    sent = [m['params']['request']['url'] for m in messages if m['method'] == 'Network.requestWillBeSent']
    return [f'request: {url}' for url in sent if url != page and not url.startswith('data:')]


def show(browser, path, width, height, is_phone, scheme, medium):
    size = dict(width=width, height=height, deviceScaleFactor=1, mobile=is_phone)
    media = dict(media=medium, features=[dict(name='prefers-color-scheme', value=scheme)])
    browser.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', size)
    browser.execute_cdp_cmd('Emulation.setEmulatedMedia', media)
    page = pathlib.Path(path).resolve().as_uri()
    browser.get(page)
    return requests(browser, page) + ['console: ' + entry['message'] for entry in browser.get_log('browser')]


def answer(browser, question):
    if 'load' in question:
        return browser.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {'source': question['load']})
    if 'show' in question:
        return show(browser, question.pop('show'), **question)
    if 'picture' in question:
        return browser.save_screenshot(question['picture'])
    return browser.execute_script(question['see'])


driver = started()
try:
    for line in sys.stdin:
        try:
            print(json.dumps({'value': answer(driver, json.loads(line))}), flush=True)
        except Exception as error:
            print(json.dumps({'error': str(error)}), flush=True)
finally:
    driver.quit()
