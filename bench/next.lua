-- Follows the links to the next page of a search, and begins again after the last page. One connection.
local path

function init()
    path = wrk.path
end

function request()
    return wrk.format("GET", path)
end

function response(status, headers, body)
    if status ~= 200 then
        print("unexpected status " .. status)
        wrk.thread:stop()
    end
    path = body:match('"rel":"next","href":"http://[^/]*([^"]*)"') or wrk.path
end
