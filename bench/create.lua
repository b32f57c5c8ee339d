-- Creates datasets with different names and positions.
local headers

function init(args)
    headers = wrk.headers
    headers["Content-Type"] = "application/json"
    math.randomseed(42)
end

function request()
    return wrk.format("POST", nil, headers, string.format(
        '{"dataset_name":"Flight %d","category":["Rocky"],"coordinates":[%f,%f]}',
        math.random(1, 1000000000), math.random() * 170 - 85, math.random() * 350 - 175))
end

function response(status)
    if status ~= 201 then
        print("unexpected status " .. status)
        wrk.thread:stop()
    end
end
